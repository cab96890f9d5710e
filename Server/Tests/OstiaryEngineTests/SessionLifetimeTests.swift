import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

@Suite struct SessionLifetimeTests {
    @Test(
        arguments: [(-1.0, nil), (0, AuthError.refreshTokenExpired), (1, .refreshTokenExpired)]
            as [(Double, AuthError?)])
    func `ends a session that is not refreshed`(offset: Double, expected: AuthError?) async throws {
        let world = try World.vici()
        let tokens = try await world.registered().tokens
        world.clock.advance(604_800 + offset)
        #expect(await refusal { try await world.refresh(tokens) } == expected)
    }

    @Test func `lets a refresh put the end off`() async throws {
        let world = try World.vici()
        var tokens = try await world.registered().tokens
        for _ in 0..<3 {
            world.clock.advance(604_799)
            tokens = try await world.refresh(tokens)
        }
    }

    @Test func `does not let an earlier token put the end off`() async throws {
        let world = try World.vici()
        let first = try await world.registered().tokens
        let second = try await world.refresh(first)
        world.clock.advance(604_799)
        _ = try await world.refresh(first)
        world.clock.advance(1)
        await #expect(throws: AuthError.refreshTokenExpired) { try await world.refresh(second) }
        await #expect(throws: AuthError.refreshTokenExpired) { try await world.refresh(first) }
    }

    @Test(
        arguments: [(-1.0, nil), (0, AuthError.refreshTokenExpired), (1, .refreshTokenExpired)]
            as [(Double, AuthError?)])
    func `ends a session however often it is refreshed`(offset: Double, expected: AuthError?) async throws {
        let world = try World.vici { $0.sessionSeconds = 1_000_000 }
        var tokens = try await world.registered().tokens
        world.clock.advance(500_000)
        tokens = try await world.refresh(tokens)
        world.clock.advance(500_000 + offset)
        #expect(await refusal { try await world.refresh(tokens) } == expected)
    }

    @Test func `lets no access token outlive its session`() async throws {
        let world = try World.vici { $0.sessionSeconds = 4000 }
        let first = try await world.registered().tokens
        world.clock.advance(3000)
        let second = try await world.refresh(first)
        #expect(second.expiresIn == .seconds(1000))
        world.clock.advance(1000)
        await #expect(throws: AuthError.invalidAccessToken) { try await world.use(second) }
    }

    @Test(
        arguments: [(-1.0, nil), (0, AuthError.invalidAccessToken), (1, .invalidAccessToken)] as [(Double, AuthError?)])
    func `ends an access token after its time`(offset: Double, expected: AuthError?) async throws {
        let world = try World.vici()
        let tokens = try await world.registered().tokens
        world.clock.advance(3600 + offset)
        #expect(await refusal { try await world.use(tokens) } == expected)
    }

    @Test(arguments: [(false, 86_400.0), (true, 2_592_000)])
    func `lives longer where the person asked to be remembered`(remembered: Bool, seconds: Double) async throws {
        let world = try World.clarity()
        try await world.registered()
        let tokens = try await world.signIn(rememberMe: remembered).tokens
        world.clock.advance(seconds - 1)
        let next = try await world.refresh(tokens)
        world.clock.advance(seconds)
        await #expect(throws: AuthError.refreshTokenExpired) { try await world.refresh(next) }
    }

    @Test func `makes no difference where the contract makes none`() async throws {
        let world = try World.vici()
        try await world.registered()
        let tokens = try await world.signIn(rememberMe: false).tokens
        world.clock.advance(604_799)
        _ = try await world.refresh(tokens)
    }

    @Test func `ends with the access token where there is no refresh`() async throws {
        let world = try World.viewvault()
        let tokens = try await world.engine.register(
            Register(username: Username("ada"), password: Secret(goodPassword))
        ).tokens
        world.clock.advance(3599)
        try await world.use(tokens)
        #expect(try await world.administration.sessions(of: "ada").count == 1)
        world.clock.advance(1)
        await #expect(throws: AuthError.invalidAccessToken) { try await world.use(tokens) }
        #expect(try await world.administration.sessions(of: "ada").isEmpty)
    }
}

@Suite struct EndedSessionTests {
    private let world: World

    init() throws { world = try World.vici() }

    @Test func `refuses the tokens of a session that was ended, at once`() async throws {
        let tokens = try await world.registered().tokens
        let session = try #require(try await world.session(of: tokens))
        try await world.use(tokens)
        try await world.administration.revokeSession(session.id.text)
        await #expect(throws: AuthError.sessionRevoked) { try await world.use(tokens) }
        await #expect(throws: AuthError.refreshTokenRevoked) { try await world.refresh(tokens) }
    }

    @Test func `refuses the tokens of an account that was disabled, at once`() async throws {
        let tokens = try await world.registered().tokens
        try await world.use(tokens)
        _ = try await world.administration.setActive(false, ada)
        await #expect(throws: AuthError.accountDisabled) { try await world.use(tokens) }
        await #expect(throws: AuthError.accountDisabled) { try await world.refresh(tokens) }
    }

    @Test func `does not revive the sessions of an account that is enabled again`() async throws {
        let tokens = try await world.registered().tokens
        _ = try await world.administration.setActive(false, ada)
        _ = try await world.administration.setActive(true, ada)
        await #expect(throws: AuthError.sessionRevoked) { try await world.use(tokens) }
        await #expect(throws: AuthError.refreshTokenRevoked) { try await world.refresh(tokens) }
    }

    @Test func `refuses the tokens of an account that was deleted, at once`() async throws {
        let tokens = try await world.registered().tokens
        try await world.use(tokens)
        _ = try await world.engine.deleteAccount(
            DeleteAccount(accessToken: tokens.accessToken, password: Secret(goodPassword)))
        await #expect(throws: AuthError.invalidAccessToken) { try await world.use(tokens) }
        await #expect(throws: AuthError.refreshTokenInvalid) { try await world.refresh(tokens) }
        await #expect(throws: AuthError.wrongCredentials) { try await world.signIn() }
    }

    @Test func `deletes no account for a wrong password`() async throws {
        let tokens = try await world.registered().tokens
        await #expect(throws: AuthError.wrongCredentials) {
            try await world.engine.deleteAccount(
                DeleteAccount(accessToken: tokens.accessToken, password: Secret(otherPassword)))
        }
        try await world.use(tokens)
    }

    @Test func `refuses a refresh token as access token, and what is none`() async throws {
        let tokens = try await world.registered().tokens
        for token in [tokens.refreshToken ?? Secret(""), Secret(""), Secret("access-99"), Secret("x")] {
            await #expect(throws: AuthError.invalidAccessToken) {
                try await world.engine.currentUser(CurrentUser(accessToken: token))
            }
        }
    }

    @Test func `refuses the access token of another app's session`() async throws {
        let tokens = try await world.registered().tokens
        let other = try World("clarity", .clarity, sharing: world)
        let stolen = try await other.accessTokens.issue(
            try #require(world.accessTokens.grant(tokens.accessToken)))
        await #expect(throws: AuthError.invalidAccessToken) {
            try await other.engine.currentUser(CurrentUser(accessToken: stolen))
        }
    }
}

@Suite struct SessionListTests {
    private let world: World

    init() throws { world = try World.vici() }

    @Test func `lists the account's live sessions, the most recently used first`() async throws {
        let first = try await world.registered().tokens
        world.clock.advance(1)
        let second = try await world.signIn().tokens
        world.clock.advance(1)
        let third = try await world.signIn().tokens
        try await world.registered("bob@example.com")
        _ = try await world.engine.signOut(SignOut(accessToken: second.accessToken))
        world.clock.advance(1)
        let now = try await world.refresh(first)
        let list = try await world.engine.listSessions(ListSessions(accessToken: now.accessToken))
        let ids = [try await world.session(of: first)?.id, try await world.session(of: third)?.id]
        #expect(list.map(\.id) == ids.compactMap(\.self))
        #expect(list.map(\.isCurrent) == [true, false])
    }

    @Test func `ends the session that its owner names, and no other`() async throws {
        let first = try await world.registered().tokens
        let second = try await world.signIn().tokens
        let id = try #require(try await world.session(of: second)?.id)
        _ = try await world.engine.endSession(EndSession(accessToken: first.accessToken, sessionID: id))
        await #expect(throws: AuthError.sessionRevoked) { try await world.use(second) }
        #expect(try await world.session(of: second)?.revocation?.reason == .endedByOwner)
        try await world.use(first)
    }

    @Test func `knows nothing of another person's session`() async throws {
        let mine = try await world.registered().tokens
        let theirs = try await world.registered("bob@example.com").tokens
        let id = try #require(try await world.session(of: theirs)?.id)
        await #expect(throws: AuthError.notFound) {
            try await world.engine.endSession(EndSession(accessToken: mine.accessToken, sessionID: id))
        }
        try await world.use(theirs)
    }

    @Test func `changes a name and nothing else`() async throws {
        let tokens = try await world.registered().tokens
        let call = UpdateProfile(accessToken: tokens.accessToken, fullName: try PersonName("Ada Lovelace"))
        #expect(try await world.engine.updateProfile(call).fullName?.text == "Ada Lovelace")
        let same = try await world.engine.updateProfile(UpdateProfile(accessToken: tokens.accessToken))
        #expect(same.fullName?.text == "Ada Lovelace")
        #expect(try await world.use(tokens) == same)
    }
}
