import OstiaryPostgres
import PostgresServer
import Synchronization
import Testing

@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed"))
struct TransactionTests {
    private struct Changed: Error {}

    private func withTable(_ body: (PostgresPool) async throws -> Void) async throws {
        try await withPool("pool_size=2") { pool, _ in
            _ = try await pool.write("CREATE TABLE t (a int8 PRIMARY KEY)")
            try await body(pool)
        }
    }

    @Test func `commits what its body did, and shows nothing of it before`() async throws {
        try await withTable { pool in
            let count = try await pool.transaction { transaction in
                try await transaction.run("INSERT INTO t VALUES ($1)", [1])
                let count = try await pool.number("SELECT count(*) FROM t")
                #expect(count == 0)
                return try await transaction.run("SELECT count(*) FROM t")[0].integer(0)
            }
            #expect(count == 1)
            #expect(try await pool.number("SELECT count(*) FROM t") == 1)
        }
    }

    @Test func `undoes what its body did before it threw`() async throws {
        try await withTable { pool in
            await #expect(throws: Changed.self) {
                try await pool.transaction { transaction in
                    try await transaction.run("INSERT INTO t VALUES ($1)", [1])
                    throw Changed()
                }
            }
            let count = try await pool.number("SELECT count(*) FROM t")
            #expect(count == 0)
            #expect(pool.counts.open == 1)
        }
    }

    @Test func `commits with the last statements`() async throws {
        try await withTable { pool in
            let rows = try await pool.transaction { transaction in
                try await transaction.run("INSERT INTO t VALUES ($1)", [1])
                let rows = try await transaction.commit(after: [
                    PostgresStatement("INSERT INTO t VALUES ($1)", [2]), PostgresStatement("SELECT count(*) FROM t"),
                ])
                #expect(try await pool.number("SELECT count(*) FROM t") == 2)
                await #expect(throws: PostgresError.closed) { try await transaction.run("SELECT 1") }
                return rows
            }
            #expect(rows.count == 2)
            #expect(try rows[1][0].integer(0) == 2)
        }
    }

    @Test func `commits with the first statements`() async throws {
        try await withTable { pool in
            let rows = try await pool.transaction { transaction in
                try await transaction.commit(after: [PostgresStatement("INSERT INTO t VALUES ($1)", [1])])
            }
            #expect(rows.map(\.affected) == [1])
            #expect(try await pool.number("SELECT count(*) FROM t") == 1)
        }
    }

    @Test func `commits nothing after a failure that its body swallowed`() async throws {
        try await withTable { pool in
            await #expect(throws: PostgresError.refused(.uniqueViolation, constraint: "t_pkey")) {
                try await pool.transaction { transaction in
                    try await transaction.run("INSERT INTO t VALUES ($1)", [1])
                    _ = try? await transaction.run("INSERT INTO t VALUES ($1)", [1])
                    _ = try? await transaction.run("INSERT INTO t VALUES ($1)", [2])
                }
            }
            let count = try await pool.number("SELECT count(*) FROM t")
            #expect(count == 0)
        }
    }

    @Test func `repeats its body when a swallowed failure was a passing one`() async throws {
        try await withTable { pool in
            let calls = Mutex(0)
            try await pool.transaction { transaction in
                let call = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                let sql = "DO $$ BEGIN IF \(call) < 3 THEN RAISE EXCEPTION USING ERRCODE = '40001'; END IF; END $$"
                do { try await transaction.run(sql) } catch { throw Changed() }
            }
            #expect(calls.withLock { $0 } == 3)
        }
    }

    @Test func `leaves the connection to others once it is over`() async throws {
        try await withTable { pool in
            let kept = try await pool.transaction { $0 }
            let used = try await pool.transaction { transaction in
                try await transaction.run("SELECT 1")
                return transaction
            }
            for transaction in [kept, used] {
                await #expect(throws: PostgresError.closed) {
                    try await transaction.run("INSERT INTO t VALUES ($1)", [1])
                }
            }
            let count = try await pool.number("SELECT count(*) FROM t")
            #expect(count == 0)
        }
    }

    @Test func `is refused within another, where there is one connection alone`() async throws {
        try await withPool("pool_size=1") { pool, _ in
            await #expect(throws: PostgresError.exhausted) {
                try await pool.transaction(within: .seconds(20)) { transaction in
                    try await transaction.run("SELECT 1")
                    _ = try await pool.transaction(within: .milliseconds(1)) { try await $0.run("SELECT 1") }
                }
            }
            let number = try await pool.number("SELECT 1")
            #expect(number == 1)
        }
    }

    @Test func `takes two statements at the same time for a mistake, and commits neither`() async throws {
        try await withTable { pool in
            await #expect(throws: PostgresError.self) {
                try await pool.transaction(within: .seconds(1)) { transaction in
                    try await transaction.run("INSERT INTO t VALUES ($1)", [1])
                    async let slow = transaction.run("SELECT pg_sleep(60)::text")
                    try await eventually("the first runs") { try await pool.running("pg_sleep(60)") == 1 }
                    async let other = transaction.run("SELECT 1")
                    _ = try await (slow, other)
                }
            }
            let count = try await pool.number("SELECT count(*) FROM t")
            #expect(count == 0)
        }
    }
}
