import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import OstiaryTesting
import Testing

@testable import OstiaryProvider

@Suite struct RefreshTests {
    @Test func `only a client that asked for offline access gets a refresh token, and it rotates`() async throws {
        let world = try await World()
        #expect(try await world.tokens(scope: "openid").refreshToken == nil)
        let first = try await world.tokens(email: "grace@example.com")
        let second = try await world.refresh(first.refreshToken)
        #expect(first.refreshToken != nil && second.refreshToken != first.refreshToken)
        #expect(try await world.refresh(second.refreshToken).refreshToken != second.refreshToken)
    }

    @Test func `a refreshed ID token is of the same person, session and sign-in, and without a nonce`() async throws {
        let world = try await World()
        let first = try await world.tokens()
        world.clock.advance(by: .seconds(7200))
        let (before, after) = (
            try claims(first.idToken), try claims(try await world.refresh(first.refreshToken).idToken)
        )
        for name in ["iss", "sub", "aud", "auth_time", "sid"] { #expect(before[name] == after[name]) }
        #expect(after["iat"] != before["iat"])
        #expect(after["nonce"] == nil)
    }

    @Test func `another client neither uses nor ends a refresh token`() async throws {
        let world = try await World()
        let first = try await world.tokens()
        #expect(
            try await refusal {
                try await world.refresh(first.refreshToken, client: "neighbour", secret: "another secret")
            } == "invalid_grant")
        #expect(
            try await refusal { try await world.refresh(first.refreshToken, client: "stranger", secret: nil) }
                == "invalid_grant")
        #expect(try await refusal { try await world.refresh(first.refreshToken) } == nil)
    }

    @Test func `an earlier refresh token after its successor was long in use is theft and ends the grant`() async throws
    {
        let world = try await World()
        let first = try await world.tokens()
        let second = try await world.refresh(first.refreshToken)
        let third = try await world.refresh(second.refreshToken)
        world.clock.advance(by: .seconds(31))
        #expect(try await refusal { try await world.refresh(first.refreshToken) } == "invalid_grant")
        #expect(try await refusal { try await world.refresh(third.refreshToken) } == "invalid_grant")
    }

    @Test func `a lost answer is given again`() async throws {
        let world = try await World()
        let first = try await world.tokens()
        let second = try await world.refresh(first.refreshToken)
        world.clock.advance(by: .seconds(600))
        #expect(try await world.refresh(first.refreshToken).refreshToken == second.refreshToken)
    }

    @Test func `a scope beyond what was granted is refused`() async throws {
        let world = try await World()
        let first = try await world.tokens(scope: "openid offline_access")
        #expect(
            try await refusal { try await world.refresh(first.refreshToken, ["scope": "openid email"]) }
                == "invalid_scope")
        #expect(
            try await refusal { try await world.refresh(first.refreshToken, ["scope": "openid"]) } == nil)
    }

    @Test func `a narrower scope holds for the access token of its answer alone`() async throws {
        let world = try await World()
        let first = try await world.tokens()
        let narrow = try await world.refresh(first.refreshToken, ["scope": "email openid"])
        #expect(narrow.scope == "openid email")
        let told = try await world.provider.userInfo(narrow.accessToken, from: world.caller)
        #expect(told["email"] == "ada@example.com" && told["name"] == nil)
        #expect(try claims(narrow.idToken)["name"] == nil)
        #expect(try await introspectedScope(world, narrow.accessToken) == "openid email")

        let whole = "openid profile email offline_access"
        #expect(try await introspectedScope(world, try #require(narrow.refreshToken)) == .string(whole))
        let next = try await world.refresh(narrow.refreshToken)
        #expect(next.scope == whole)
        #expect(try await world.provider.userInfo(next.accessToken, from: world.caller)["name"] == "Ada")
        #expect(try await introspectedScope(world, next.accessToken) == .string(whole))
        // A later token restores nothing for the earlier one.
        #expect(try await world.provider.userInfo(narrow.accessToken, from: world.caller)["name"] == nil)
    }

    @Test func `a narrowed access token is over with its hour, and with its grant`() async throws {
        let world = try await World()
        let narrow = try await world.refresh(try await world.tokens().refreshToken, ["scope": "openid"])
        world.clock.advance(by: .seconds(3599))
        #expect(
            try await refusal { try await world.provider.userInfo(narrow.accessToken, from: world.caller) } == nil)
        world.clock.advance(by: .seconds(1))
        #expect(
            try await refusal { try await world.provider.userInfo(narrow.accessToken, from: world.caller) }
                == "invalid_token")
        let again = try await world.refresh(narrow.refreshToken, ["scope": "openid"])
        try await world.provider.revoke(
            ["token": again.accessToken.reveal(), "client_id": "house", "client_secret": World.secret],
            authorization: nil, from: world.caller)
        #expect(
            try await refusal { try await world.provider.userInfo(again.accessToken, from: world.caller) }
                == "invalid_token")
    }

    private func introspectedScope(_ world: World, _ token: Secret<String>) async throws -> JSON? {
        try await world.provider.introspect(
            ["token": token.reveal(), "client_id": "house", "client_secret": World.secret], authorization: nil,
            from: world.caller)["scope"]
    }

    @Test(arguments: ["openid email", "openid admin", "openid\tprofile", " "])
    func `a scope that was not granted is refused and spends nothing`(scope: String) async throws {
        let world = try await World()
        let first = try await world.tokens(scope: "openid profile offline_access")
        #expect(try await refusal { try await world.refresh(first.refreshToken, ["scope": scope]) } == "invalid_scope")
        #expect(try await refusal { try await world.refresh(first.refreshToken) } == nil)
    }

    @Test func `a grant without offline access is over with its access token`() async throws {
        let world = try await World()
        let answer = try await world.tokens(scope: "openid")
        world.clock.advance(by: .seconds(3599))
        #expect(
            try await refusal { try await world.provider.userInfo(answer.accessToken, from: world.caller) } == nil)
        world.clock.advance(by: .seconds(1))
        #expect(
            try await refusal { try await world.provider.userInfo(answer.accessToken, from: world.caller) }
                == "invalid_token")
    }

    @Test(arguments: [nil, "openid email"])
    func `a role that requires a factor makes a client's tokens insufficient, and a refresh never asks`(
        scope: String?
    ) async throws {
        let world = try await World(adjusting: { $0.secondFactor.requiredRoles = ["admin"] })
        let cookie = try await world.person()
        let request = ["scope": "openid email offline_access"]
        let answer = try await world.redeem(try await world.code(request, session: cookie))
        let code = try await world.code(request, session: cookie)
        let account = try await world.account(cookie)
        _ = try await world.store.change(
            account.id, in: account.app, AccountChange(addedRoles: try RoleAssignment.read(["admin"])),
            at: world.clock.now)
        let later = [
            answer, try await world.refresh(answer.refreshToken, scope.map { ["scope": $0] } ?? [:]),
            try await world.redeem(code),
        ]
        for tokens in later {
            #expect(
                try await refusal { try await world.provider.userInfo(tokens.accessToken, from: world.caller) }
                    == "insufficient_user_authentication")
        }
    }

    @Test func `a disabled person's clients get nothing more`() async throws {
        let world = try await World()
        let cookie = try await world.person()
        let answer = try await world.redeem(
            try await world.code(["scope": "openid offline_access"], session: cookie))
        let account = try await world.account(cookie)
        _ = try await world.store.change(
            account.id, in: account.app, AccountChange(isActive: false), at: world.clock.now)
        #expect(try await refusal { try await world.refresh(answer.refreshToken) } == "invalid_grant")
        #expect(
            try await refusal { try await world.provider.userInfo(answer.accessToken, from: world.caller) }
                == "invalid_token")
    }

    @Test func `a changed password ends what clients were granted, and codes that wait`() async throws {
        let world = try await World()
        let (kept, other) = (try await world.person(), try await world.signIn())
        let granted = try await world.redeem(
            try await world.code(["scope": "openid offline_access"], session: other))
        let waiting = try await world.code(session: other)
        _ = try await world.provider.engine.perform(
            ChangePassword(
                accessToken: kept, currentPassword: Secret(World.password), newPassword: Secret("a new horse battery")))
        #expect(try await refusal { try await world.refresh(granted.refreshToken) } == "invalid_grant")
        #expect(try await refusal { try await world.redeem(waiting) } == "invalid_grant")
        #expect(redirect(try await world.step(session: kept)) != nil)
    }

    @Test(arguments: ["", "made up", "AAAA"])
    func `what is no refresh token is refused`(token: String) async throws {
        let world = try await World()
        let error = try await refusal { try await world.refresh(Secret(token)) }
        #expect(error == (token.isEmpty ? "invalid_request" : "invalid_grant"))
    }
}
