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

    @Test func `requests of an authenticated client count against the client, and not against its address`()
        async throws
    {
        let world = try await World(adjusting: { app in
            for kind in [AttemptKind.refresh, .other] {
                app.limits.perAddress[kind] = RateLimit(attempts: 2, perSeconds: 60)
            }
        })
        var last: TokenAnswer?
        for index in 0..<5 {
            let tokens = try await world.tokens(email: "person\(index)@example.com")
            last = try await world.refresh(tokens.refreshToken)
        }
        // The id of a client does not authenticate it.
        for form in [["client_id": "house", "client_secret": "a guess"], ["client_id": "house"]] {
            #expect(try await code(form, in: world) == "invalid_client")
        }
        #expect(try await code(["client_id": "stranger"], in: world) == "temporarily_unavailable")
        // Beyond the limit no secret is compared: it may be a guess.
        #expect(try await refusal { try await world.refresh(last?.refreshToken) } == "temporarily_unavailable")
        world.clock.advance(by: .seconds(60))
        _ = try await world.refresh(last?.refreshToken)
    }

    @Test func `a client's requests are limited, from all addresses together`() async throws {
        let world = try await World({ settings in
            for index in settings.clients.indices {
                settings.clients[index].rateLimit = RateLimit(attempts: 3, perSeconds: 60)
            }
        })
        let house = ["client_id": "house", "client_secret": World.secret, "token": "unknown"]
        let neighbour = ["client_id": "neighbour", "client_secret": "another secret", "token": "unknown"]
        for _ in 0..<3 { _ = try await world.provider.introspect(house, authorization: nil, from: world.caller) }
        let other = Caller(address: "198.51.100.9", network: "198.51.100.9")
        for caller in [world.caller, other] {
            #expect(
                try await refusal { try await world.provider.introspect(house, authorization: nil, from: caller) }
                    == "temporarily_unavailable")
            _ = try await world.provider.introspect(neighbour, authorization: nil, from: caller)
        }
        // From inside the process it is not counted.
        _ = try await world.provider.introspect(house, authorization: nil, from: Caller())
        // A public client has no limit of its own.
        for _ in 0..<4 { #expect(try await code(["client_id": "stranger"], in: world) == "invalid_request") }
    }

    private func code(_ form: [String: String], in world: World) async throws -> String? {
        try await refusal { try await world.provider.token(form, authorization: nil, from: world.caller) }
    }
}
