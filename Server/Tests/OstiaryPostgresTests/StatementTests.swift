import Logging
import OstiaryPostgres
import PostgresServer
import Testing

@Suite(.enabled("PostgreSQL 15 or later is not installed") { await PostgresServer.isInstalled })
struct StatementTests {
    @Test func `answers`() async throws {
        try await PostgresServer.withDatabase { database in
            let pool = PostgresPool(try PostgresSettings(url: database.url), log: Logger(label: "tests"))
            #expect(try await pool.read("SELECT $1::int8 + 1", [41])[0].integer(0) == 42)
            await pool.close()
        }
    }
}
