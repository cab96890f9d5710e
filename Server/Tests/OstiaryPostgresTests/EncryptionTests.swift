import OstiaryPostgres
import PostgresServer
import Testing

extension StageTests {
    @Suite struct EncryptionTests {
        private func encrypted(_ parameters: String) async throws -> Bool? {
            let stage = try await Stage.shared.value
            let pool = try pool(stage.url("postgres", parameters, port: stage.port))
            let rows = try await pool.read("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
            await pool.close()
            return try rows[0].bool(0)
        }

        @Test func `speaks TLS with a server that its authority names`() async throws {
            let authority = try await Stage.shared.value.authority
            #expect(try await encrypted("sslmode=verify-full&sslrootcert=\(authority)") == true)
            #expect(try await encrypted("sslmode=disable") == false)
        }

        @Test func `refuses a certificate of another authority`() async throws {
            do {
                _ = try await encrypted("sslmode=verify-full&sslrootcert=/etc/ssl/certs/ca-certificates.crt")
                Issue.record("it was taken")
            } catch PostgresError.unreachable(.tls) {}
        }

        @Test func `carries much by TLS`() async throws {
            let stage = try await Stage.shared.value
            try await stage.withPool { _, name in
                let pool = try pool(stage.url(name, "sslmode=require", port: stage.port))
                let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
                let rows = try await pool.read("SELECT $1::bytea FROM generate_series(1, 5)", [bytes])
                #expect(rows.count == 5)
                #expect(try rows[4].bytes(0) == bytes)
                await pool.close()
            }
        }
    }
}
