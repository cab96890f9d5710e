import OstiaryPostgres
import PostgresServer
import Testing

extension StageTests {
    @Suite struct BreakingTests {
        @Test(arguments: ["kill", "stop fast", "stop immediate"])
        func `repeats what was under way when the server went away, once it is back`(how: String) async throws {
            let stage = try await Stage.shared.value
            try await stage.withPool("pool_size=4&\(PostgresServer.patience())") { pool, _ in
                _ = try await pool.write([
                    PostgresStatement("CREATE TABLE t (a int8 PRIMARY KEY)"),
                    PostgresStatement("CREATE TABLE locked (a int8)"),
                ])
                let hold = try await Hold(of: pool, "LOCK TABLE locked")
                let sql = "INSERT INTO t SELECT $1 WHERE NOT EXISTS (SELECT FROM locked) ON CONFLICT DO NOTHING"
                async let read = pool.read("SELECT count(*) FROM locked")
                async let write = pool.write(sql, [1])
                try await eventually("both wait") { try await pool.running("FROM locked") == 2 }
                try await stage.order(how)
                try await stage.order("start")
                #expect(try await write.affected == 1)
                #expect(try await read[0].integer(0) == 0)
                #expect(try await pool.number("SELECT count(*) FROM t") == 1)
                // The held transaction had changed nothing, and is retried too.
                try await hold.release()
            }
        }

        @Test(arguments: ["before", "within", "between", "late", "locked", "after"])
        func `does a write once whose commit is cut off`(moment: String) async throws {
            let stage = try await Stage.shared.value
            try await stage.withPool { pool, _ in
                _ = try await pool.write("CREATE TABLE t (id text PRIMARY KEY, n int8 NOT NULL)")
                for (index, isPipeline) in [false, true].enumerated() {
                    // Records the operation, so that the statement is idempotent.
                    let statement = PostgresStatement(
                        "INSERT INTO t VALUES ($1, 1) ON CONFLICT (id) DO UPDATE SET n = t.n RETURNING n", ["w\(index)"]
                    )
                    try await stage.order("arm \(moment)")
                    let rows =
                        isPipeline
                        ? try await pool.write([statement, PostgresStatement("SELECT 1")])[0]
                        : try await pool.write(statement.sql, statement.parameters)
                    #expect(try await stage.order("disarm") == 1)
                    #expect(try rows[0].integer(0) == 1)
                }
                try await stage.order("arm \(moment)")
                try await pool.transaction { transaction in
                    try await transaction.run("INSERT INTO t VALUES ('x', 1) ON CONFLICT DO NOTHING")
                    try await transaction.commit(after: [PostgresStatement("UPDATE t SET n = 1 WHERE id = 'x'")])
                }
                #expect(try await stage.order("disarm") == 1)
                #expect(try await pool.number("SELECT sum(n)::int8 FROM t") == 3)
            }
        }

        @Test func `says at the deadline that the outcome of a commit is unknown whose answer never comes`()
            async throws
        {
            let stage = try await Stage.shared.value
            try await stage.withPool { pool, _ in
                _ = try await pool.write("CREATE TABLE t (a int8)")
                try await stage.order("arm silent")
                await #expect(throws: PostgresError.unknownOutcome("no answer came in time")) {
                    try await pool.write("INSERT INTO t VALUES ($1)", [1], within: .milliseconds(500))
                }
                try await stage.order("disarm")
                try await eventually("it is done") { try await pool.number("SELECT count(*) FROM t") == 1 }
            }
        }

        @Test func `takes a fresh connection where all that it had are silent`() async throws {
            let stage = try await Stage.shared.value
            try await stage.withPool { pool, _ in
                let holds = (try await Hold(of: pool), try await Hold(of: pool), try await Hold(of: pool))
                for hold in [holds.0, holds.1, holds.2] { try await hold.release() }
                #expect(pool.counts.open == 3)
                try await stage.order("freeze")
                await #expect(throws: PostgresError.unknownOutcome("no answer came in time")) {
                    try await pool.read("SELECT 1", within: .milliseconds(300))
                }
                // The other connections have been silent for as long.
                #expect(pool.counts.open == 0)
                try await stage.order("thaw")
                #expect(try await pool.number("SELECT 1") == 1)
            }
        }

        @Test func `keeps the connections that answer while one is silent`() async throws {
            let stage = try await Stage.shared.value
            try await stage.withPool { pool, _ in
                let hold = try await Hold(of: pool)
                let slow = Task { try await pool.read("SELECT pg_sleep(600)::text", within: .seconds(5)) }
                try await eventually("it runs") { try await pool.running("pg_sleep(600)") == 1 }
                await #expect(throws: PostgresError.unknownOutcome("no answer came in time")) { try await slow.value }
                try await hold.release()
                #expect(pool.counts.open == 2)
            }
        }

        @Test func `goes on where every connection was reset`() async throws {
            let stage = try await Stage.shared.value
            try await stage.withPool { pool, _ in
                for _ in 0..<20 {
                    let number = try await pool.number("SELECT $1::int8", [1])
                    #expect(number == 1)
                    try await stage.order("reset")
                }
            }
        }
    }
}
