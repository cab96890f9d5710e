import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@testable import OstiaryProvider

@Suite struct FloodLimitTests {
    @Test func `a browser gets so many codes a minute and no more`() async throws {
        let world = try await World()
        let cookie = try await world.person()
        for _ in 0..<60 { _ = try await world.code(session: cookie) }
        await #expect(throws: AuthError.tooManyAttempts(retryAfterSeconds: 1)) {
            try await world.step(session: cookie)
        }
        _ = try await world.code(session: try await world.person("grace@example.com"))
        world.clock.advance(by: .seconds(60))
        _ = try await world.code(session: cookie)
    }

    @Test func `secrets are not tried by the thousand, and a request from inside the process is not counted`()
        async throws
    {
        let world = try await World()
        let form = ["client_id": "house", "client_secret": "a guess", "grant_type": "refresh_token"]
        var codes: [String?] = []
        for _ in 0..<1201 {
            codes.append(
                try await refusal {
                    try await world.provider.token(form, authorization: nil, from: world.caller)
                })
        }
        #expect(codes.prefix(1200).allSatisfy { $0 == "invalid_client" })
        #expect(codes.last == "temporarily_unavailable")
        #expect(
            try await refusal { try await world.provider.token(form, authorization: nil, from: Caller()) }
                == "invalid_client")
    }
}
