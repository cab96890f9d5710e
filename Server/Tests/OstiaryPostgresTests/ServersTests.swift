import OstiaryPostgres
import PostgresServer
import Testing

extension StageTests {
    @Suite struct ServersTests {
        @Test func `goes on to the server that answers where the one before is silent`() async throws {
            let stage = try await Stage.shared.value
            try await stage.withPool { _, name in
                let one = "@127.0.0.1:\(stage.network)"
                let pool = try pool(stage.url(name).replacing(one, with: "\(one),127.0.0.1:\(stage.port)"))
                _ = try await pool.read("SELECT 1")
                try await stage.order("freeze")
                await #expect(throws: PostgresError.unknownOutcome("no answer came in time")) {
                    try await pool.read("SELECT 1", within: .milliseconds(300))
                }
                #expect(try await pool.number("SELECT 1") == 1)
                try await stage.order("thaw")
                await pool.close()
            }
        }
    }
}
