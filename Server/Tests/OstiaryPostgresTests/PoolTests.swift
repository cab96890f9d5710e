import OstiaryPostgres
import PostgresServer
import Synchronization
import Testing

@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed"))
struct PoolTests {
    private final class Numbers: Sendable {
        private let list = Mutex<[Int64]>([])
        var all: [Int64] { list.withLock { $0 } }
        func add(_ number: Int64?) { list.withLock { $0.append(number ?? -1) } }
    }

    @Test func `serves a thousand callers at once with a few connections`() async throws {
        try await withPool("pool_size=3") { pool, _ in
            try await withThrowingTaskGroup { group in
                for n in 0..<1_000 {
                    group.addTask {
                        let number = try await pool.number("SELECT $1::int8", [n])
                        #expect(number == Int64(n))
                    }
                }
                try await group.waitForAll()
            }
            #expect(pool.counts.open <= 3)
            #expect(pool.counts.busy == 0)
            #expect(
                try await pool.number("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()") ?? 9
                    <= 3)
        }
    }

    @Test func `serves who waits in order`() async throws {
        try await withPool("pool_size=1") { pool, _ in
            _ = try await pool.write("CREATE SEQUENCE served")
            let orders = try await withThrowingTaskGroup(of: (place: Int64, served: Int64?).self) { group in
                let hold = try await Hold(of: pool)
                for place in 0..<20 {
                    group.addTask { (Int64(place + 1), try await pool.number("SELECT nextval('served')")) }
                    while pool.counts.waiting <= place { await Task.yield() }
                }
                try await hold.release()
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(orders.count == 20)
            #expect(orders.allSatisfy { $0.place == $0.served })
        }
    }

    @Test func `says that no connection became free in time`() async throws {
        try await withPool("pool_size=1") { pool, _ in
            let hold = try await Hold(of: pool)
            await #expect(throws: PostgresError.exhausted) { try await pool.read("SELECT 1", within: .milliseconds(1)) }
            #expect(pool.counts.waiting == 0)
            try await hold.release()
            #expect(try await pool.number("SELECT 1") == 1)
        }
    }

    @Test func `lets no more than two thousand wait`() async throws {
        try await withPool("pool_size=1") { pool, _ in
            try await withThrowingTaskGroup { group in
                let hold = try await Hold(of: pool)
                for _ in 0..<2_000 { group.addTask { _ = try await pool.read("SELECT 1") } }
                while pool.counts.waiting < 2_000 { await Task.yield() }
                await #expect(throws: PostgresError.overloaded) { try await pool.read("SELECT 1") }
                try await hold.release()
                try await group.waitForAll()
            }
        }
    }

    @Test func `waits for what is under way when it closes, and refuses what waits and what comes`() async throws {
        try await withPool("pool_size=1") { pool, _ in
            let closed = Numbers()
            try await withThrowingTaskGroup { group in
                let hold = try await Hold(of: pool)
                group.addTask {
                    _ = await #expect(throws: PostgresError.closed) { try await pool.read("SELECT 1") }
                }
                while pool.counts.waiting < 1 { await Task.yield() }
                group.addTask {
                    await pool.close()
                    closed.add(1)
                }
                while pool.counts.waiting > 0 { await Task.yield() }
                await #expect(throws: PostgresError.closed) { try await pool.read("SELECT 1") }
                #expect(closed.all.isEmpty)
                try await hold.release()
                try await group.waitForAll()
            }
            #expect(pool.counts.open == 0)
        }
    }

    @Test func `takes another connection where one was ended`() async throws {
        try await withPool("pool_size=2") { pool, database in
            for _ in 0..<20 {
                try await database.administer(
                    "SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity WHERE datname = '\(database.name)'")
                let number = try await pool.number("SELECT $1::int8", [1])
                #expect(number == 1)
            }
        }
    }

    @Test func `repeats what was under way on a connection that was ended`() async throws {
        try await withPool { pool, database in
            func waiting(unlike pid: Int64) async throws -> Int64? {
                let sql = """
                    SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND pid <> $1
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                    """
                return try await pool.read(sql, [pid]).first?.integer(0)
            }
            let hold = try await Hold(of: pool, "SELECT pg_advisory_xact_lock(7)::text")
            async let answer = pool.read("SELECT pg_advisory_xact_lock($1)::text, 'done'", [7])
            var ended: Int64 = 0
            for _ in 0..<3 {
                var next: Int64?
                try await eventually("it waits on a connection that is not ended") {
                    next = try await waiting(unlike: ended)
                    return next != nil
                }
                ended = try #require(next)
                try await database.administer("SELECT pg_terminate_backend(\(ended))::text")
            }
            try await hold.release()
            #expect(try await answer[0].text(1) == "done")
        }
    }
}
