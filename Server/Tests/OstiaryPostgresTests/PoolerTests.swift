import OstiaryPostgres
import PostgresServer
import Testing

extension StageTests {
    /// Connections through PgBouncer, which gives every transaction another connection.
    @Suite struct PoolerTests {
        private static let port = Task { try await Stage.shared.value.order("pooler actor words") }

        @Test(.enabled("PgBouncer is not installed") { try await port.value != nil })
        func `works through a pooler of transactions`() async throws {
            let stage = try await Stage.shared.value
            let port = try #require(try await Self.port.value)
            try await stage.withPool { _, name in
                // More connections than the pooler has.
                let pool = try pool(stage.url(name, "pool_size=16&pooler=transaction", port: port))
                _ = try await pool.write("CREATE TABLE t (a int8 PRIMARY KEY)")
                try await withThrowingTaskGroup { group in
                    for n in 0..<200 {
                        group.addTask {
                            _ = try await pool.write([
                                PostgresStatement("INSERT INTO t VALUES ($1)", [n]),
                                PostgresStatement("SELECT a FROM t WHERE a = $1", [n]),
                            ])
                            try await pool.transaction { transaction in
                                try await transaction.run("UPDATE t SET a = a + 1000 WHERE a = $1", [n])
                                try await transaction.run("SELECT $1::text", ["x"])
                            }
                            let number = try await pool.number("SELECT a FROM t WHERE a = $1", [n + 1000])
                            #expect(number == Int64(n + 1000))
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(try await pool.number("SELECT count(*) FROM t") == 200)
                await pool.close()
            }
        }
    }
}
