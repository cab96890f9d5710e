import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryProvider

@Suite struct TokenUseTests {
    // MARK: Userinfo

    @Test func `userinfo tells what the scope allows`() async throws {
        let world = try await World()
        let all = try await world.tokens()
        let told = try await world.provider.userInfo(all.accessToken, from: world.caller)
        #expect(told["sub"] == (try claims(all.idToken))["sub"])
        #expect(told["email"] == "ada@example.com" && told["email_verified"] == false && told["name"] == "Ada")
        let little = try await world.tokens(scope: "openid", email: "grace@example.com")
        let members = try await world.provider.userInfo(little.accessToken, from: world.caller)
        #expect(members == ["sub": try #require(try claims(little.idToken)["sub"])])
    }

    @Test func `the access token of a client that was removed is refused`() async throws {
        let world = try await World()
        let answer = try await world.tokens()
        let earlier = world.provider
        let provider = OpenIDProvider(
            settings: ProviderSettings(issuer: World.issuer, clients: World.clients.filter { $0.id != "house" }),
            engine: earlier.engine, grants: earlier.grants, console: earlier.console, idTokens: earlier.idTokens,
            keys: earlier.keys)
        #expect(
            try await refusal { try await provider.userInfo(answer.accessToken, from: world.caller) } == "invalid_token"
        )
    }

    @Test func `the cookie's token is worth nothing to a client, nor a client's as a cookie`() async throws {
        let world = try await World()
        let cookie = try await world.person()
        let answer = try await world.redeem(try await world.code(session: cookie))
        #expect(
            try await refusal { try await world.provider.userInfo(cookie, from: world.caller) } == "invalid_token")
        #expect(try await world.provider.bearer(ofSession: answer.accessToken, from: world.caller) == nil)
        #expect(try await introspect(world, cookie) == ["active": false])
    }

    @Test func `an ID token and a refresh token are no access tokens`() async throws {
        let world = try await World()
        let answer = try await world.tokens()
        for token in [answer.idToken, answer.refreshToken ?? Secret(""), Secret("")] {
            #expect(
                try await refusal { try await world.provider.userInfo(token, from: world.caller) } == "invalid_token")
        }
    }

    // MARK: Revocation

    @Test(arguments: [true, false])
    func `a revoked token ends the whole grant`(isRefreshToken: Bool) async throws {
        let world = try await World()
        let answer = try await world.tokens()
        let token = isRefreshToken ? answer.refreshToken : answer.accessToken
        try await revoke(world, try #require(token))
        #expect(
            try await refusal { try await world.provider.userInfo(answer.accessToken, from: world.caller) }
                == "invalid_token")
        #expect(try await refusal { try await world.refresh(answer.refreshToken) } == "invalid_grant")
    }

    @Test func `revoking what is not one's own succeeds and changes nothing`() async throws {
        let world = try await World()
        let cookie = try await world.person()
        let answer = try await world.redeem(
            try await world.code(["scope": "openid offline_access"], session: cookie))
        for token in [answer.accessToken, answer.refreshToken ?? Secret("")] {
            try await world.provider.revoke(
                ["client_id": "neighbour", "client_secret": "another secret", "token": token.reveal()],
                authorization: nil, from: world.caller)
            try await world.provider.revoke(
                ["client_id": "stranger", "token": token.reveal()], authorization: nil, from: world.caller)
        }
        try await revoke(world, cookie)
        try await revoke(world, Secret("made up"))
        #expect(try await refusal { try await world.refresh(answer.refreshToken) } == nil)
        #expect(try await world.provider.bearer(ofSession: cookie, from: world.caller) != nil)
    }

    @Test func `whoever does not authenticate, or names no token, revokes nothing`() async throws {
        let world = try await World()
        let answer = try await world.tokens()
        let token = answer.accessToken.reveal()
        #expect(
            try await refusal {
                try await world.provider.revoke(
                    ["client_id": "house", "client_secret": "wrong", "token": token], authorization: nil,
                    from: world.caller)
            } == "invalid_client")
        #expect(try await refusal { try await revoke(world, Secret("")) } == "invalid_request")
        #expect(
            try await refusal { try await world.provider.userInfo(answer.accessToken, from: world.caller) } == nil)
    }

    // MARK: Introspection

    @Test func `a client hears what its own live tokens are`() async throws {
        let world = try await World()
        let answer = try await world.tokens()
        let access = try await introspect(world, answer.accessToken)
        #expect(access["active"] == true && access["client_id"] == "house" && access["token_type"] == "Bearer")
        #expect(access["sub"] == (try claims(answer.idToken))["sub"])
        #expect(access["scope"] == "openid profile email offline_access")
        #expect(access["exp"] == .integer(1_800_003_600))
        let refresh = try await introspect(world, try #require(answer.refreshToken))
        #expect(refresh["active"] == true && refresh["token_type"] == nil)
    }

    @Test func `dead, foreign and made-up tokens are not active and nothing more is said`() async throws {
        let world = try await World()
        let answer = try await world.tokens()
        let neighbour = try await world.provider.introspect(
            ["client_id": "neighbour", "client_secret": "another secret", "token": answer.accessToken.reveal()],
            authorization: nil, from: world.caller)
        #expect(neighbour == ["active": false])
        #expect(try await introspect(world, Secret("made up")) == ["active": false])
        _ = try await world.refresh(answer.refreshToken)
        #expect(try await introspect(world, try #require(answer.refreshToken)) == ["active": false])
        try await revoke(world, answer.accessToken)
        #expect(try await introspect(world, answer.accessToken) == ["active": false])
    }

    @Test func `a public client may not ask`() async throws {
        let world = try await World()
        #expect(
            try await refusal {
                try await world.provider.introspect(
                    ["client_id": "stranger", "token": "any"], authorization: nil, from: world.caller)
            } == "invalid_client")
    }

    private func revoke(_ world: World, _ token: Secret<String>) async throws {
        try await world.provider.revoke(
            ["client_id": "house", "client_secret": World.secret, "token": token.reveal()], authorization: nil,
            from: world.caller)
    }

    private func introspect(_ world: World, _ token: Secret<String>) async throws -> JSON {
        try await world.provider.introspect(
            ["client_id": "house", "client_secret": World.secret, "token": token.reveal()], authorization: nil,
            from: world.caller)
    }
}
