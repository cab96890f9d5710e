import OstiaryPostgres
import PostgresServer
import Testing

extension StageTests {
    /// Commits that wait for an unavailable synchronous standby.
    @Suite struct StandbyTests {
        private func withoutStandby(_ body: (PostgresPool, Stage) async throws -> Void) async throws {
            let stage = try await Stage.shared.value
            try await stage.withPool("pool_size=2", deadline: .seconds(1)) { pool, _ in
                _ = try await pool.write("CREATE TABLE t (a int8 PRIMARY KEY)")
                try await stage.order("set synchronous_standby_names=nobody")
                let result: Result<Void, any Error>
                do { result = .success(try await body(pool, stage)) } catch { result = .failure(error) }
                try await stage.order("set synchronous_standby_names=")
                try await stage.order(
                    "sql SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
                try result.get()
            }
        }

        /// Returns the number of commits that wait.
        private func waiting(_ pool: PostgresPool) async throws -> Int64? {
            try await pool.number("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
        }

        @Test func `shows nobody what no standby has, and says that it is unknown`() async throws {
            try await withoutStandby { pool, stage in
                await #expect(throws: PostgresError.unknownOutcome("no answer came in time")) {
                    try await pool.write("INSERT INTO t VALUES ($1) ON CONFLICT DO NOTHING", [1])
                }
                let count = try await pool.number("SELECT count(*) FROM t")
                #expect(count == 0)
                #expect(try await waiting(pool) == 1)
            }
        }

        @Test func `does not take for done what somebody cancelled while it waited for a standby`() async throws {
            try await withoutStandby { pool, stage in
                let written = Task { try await pool.write("INSERT INTO t VALUES ($1) ON CONFLICT DO NOTHING", [1]) }
                try await eventually("it waits") { try await waiting(pool) == 1 }
                try await stage.order(
                    "sql SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
                // The row exists now, and the retry changes nothing. The retry waits for the standby too.
                await #expect(throws: PostgresError.unknownOutcome("no answer came in time")) {
                    try await written.value
                }
                let count = try await pool.number("SELECT count(*) FROM t")
                #expect(count == 1)
            }
        }

        @Test func `does not take for done a transaction that somebody cancelled while it waited for a standby`()
            async throws
        {
            try await withoutStandby { pool, stage in
                let written = Task {
                    try await pool.transaction { transaction in
                        _ = try await transaction.run("INSERT INTO t VALUES ($1) ON CONFLICT DO NOTHING", [1])
                    }
                }
                try await eventually("it waits") { try await waiting(pool) == 1 }
                try await stage.order(
                    "sql SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
                await #expect(throws: PostgresError.unknownOutcome("no answer came in time")) {
                    try await written.value
                }
            }
        }
    }
}
