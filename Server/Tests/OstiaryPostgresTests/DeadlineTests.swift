import OstiaryPostgres
import PostgresServer
import Testing

@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed"))
struct DeadlineTests {
    @Test func `ends a read whose caller goes away`() async throws {
        try await withPool(deadline: .seconds(600)) { pool, _ in
            let reader = Task { try await pool.read("SELECT pg_sleep(600)::text") }
            try await eventually("it runs") { try await pool.running("pg_sleep(600)") == 1 }
            reader.cancel()
            try await eventually("it is ended") { try await pool.running("pg_sleep(600)") == 0 }
            await #expect(throws: PostgresError.self) { try await reader.value }
        }
    }

    @Test func `ends a transaction whose caller goes away`() async throws {
        try await withPool(deadline: .seconds(600)) { pool, _ in
            _ = try await pool.write("CREATE TABLE t (a int8)")
            let writer = Task {
                try await pool.transaction { transaction in
                    try await transaction.run("INSERT INTO t VALUES ($1)", [1])
                    try await transaction.run("SELECT pg_sleep(600)::text")
                }
            }
            try await eventually("it runs") { try await pool.running("pg_sleep(600)") == 1 }
            writer.cancel()
            try await eventually("it is ended") { try await pool.running("pg_sleep(600)") == 0 }
            await #expect(throws: PostgresError.self) { try await writer.value }
            #expect(try await pool.number("SELECT count(*) FROM t") == 0)
        }
    }

    @Test func `finishes a write whose caller goes away`() async throws {
        try await withPool { pool, _ in
            _ = try await pool.write("CREATE TABLE t (a int8)")
            let hold = try await Hold(of: pool, "LOCK TABLE t")
            let writer = Task { try await pool.write("INSERT INTO t VALUES ($1)", [1]) }
            try await eventually("it waits") { try await pool.running("INSERT INTO t") == 1 }
            writer.cancel()
            try await hold.release()
            #expect(try await writer.value.affected == 1)
            #expect(try await pool.number("SELECT count(*) FROM t") == 1)
        }
    }

    @Test func `lets a cancelled caller no longer wait for a connection`() async throws {
        try await withPool("pool_size=1") { pool, _ in
            let hold = try await Hold(of: pool)
            let reader = Task { try await pool.read("SELECT 1") }
            while pool.counts.waiting == 0 { await Task.yield() }
            reader.cancel()
            await #expect(throws: PostgresError.exhausted) { try await reader.value }
            #expect(pool.counts.waiting == 0)
            try await hold.release()
        }
    }

    @Test func `lets a cancelled caller have the answer that is about to come`() async throws {
        try await withPool("pool_size=1") { pool, _ in
            _ = try await pool.read("SELECT 1")
            var answers = 0
            for _ in 0..<20 {
                let reader = Task {
                    while !Task.isCancelled { await Task.yield() }
                    return try await pool.read("SELECT $1::int8", [1])
                }
                reader.cancel()
                if case .success = await reader.result { answers += 1 }
            }
            // Not all of them, if the machine is slow.
            #expect(answers > 0)
        }
    }

    @Test func `ends a read whose time is up, and its connection`() async throws {
        try await withPool { pool, _ in
            _ = try await pool.read("SELECT 1")
            await #expect(throws: PostgresError.unknownOutcome("no answer came in time")) {
                try await pool.read("SELECT pg_sleep(600)::text", within: .seconds(2))
            }
            try await eventually("it is ended") { try await pool.running("pg_sleep(600)") == 0 }
        }
    }

    @Test func `ends no write whose time is up: it may be done later`() async throws {
        try await withPool { pool, _ in
            _ = try await pool.write("CREATE TABLE t (a int8 PRIMARY KEY)")
            // Two connections, so that neither is opened in the measured time.
            let hold = try await Hold(of: pool)
            _ = try await pool.read("SELECT 1")
            try await hold.release()
            try await pool.transaction(within: .seconds(30)) { holder in
                try await holder.run("LOCK TABLE t")
                await #expect(throws: PostgresError.unknownOutcome("no answer came in time")) {
                    try await pool.write("INSERT INTO t VALUES ($1) ON CONFLICT DO NOTHING", [1], within: .seconds(1))
                }
                #expect(try await pool.running("INSERT INTO t") == 1)
            }
            try await eventually("it is done") { try await pool.number("SELECT count(*) FROM t") == 1 }
        }
    }
}
