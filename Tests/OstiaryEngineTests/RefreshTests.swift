import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@Suite struct RefreshTests {
    private let world: World

    init() throws { world = try World.vici { $0.limits = .generous } }

    @Test func `gives a new pair for the current token`() async throws {
        let first = try await world.registered().tokens
        let second = try await world.refresh(first)
        #expect(second.refreshToken != first.refreshToken)
        #expect(second.accessToken != first.accessToken)
        #expect(second.expiresIn == .seconds(3600))
        let third = try await world.refresh(second)
        #expect(try await world.session(of: third)?.generation == 2)
    }

    @Test func `answers an earlier token with the current one, byte for byte, however late its successor is used`()
        async throws
    {
        let first = try await world.registered().tokens
        let second = try await world.refresh(first)
        world.clock.advance(by: .seconds(86_400))
        let again = try await world.refresh(first)
        #expect(again.refreshToken == second.refreshToken)
    }

    @Test func `answers an earlier token with a fresh access token of full lifetime`() async throws {
        let first = try await world.registered().tokens
        let second = try await world.refresh(first)
        world.clock.advance(by: .seconds(3601))
        await #expect(throws: AuthError.invalidAccessToken) { try await world.use(second) }
        let again = try await world.refresh(first)
        #expect(again.expiresIn == .seconds(3600))
        world.clock.advance(by: .seconds(3599))
        try await world.use(again)
    }

    @Test func `makes no second branch of an earlier token`() async throws {
        let first = try await world.registered().tokens
        let second = try await world.refresh(first)
        let again = try await world.refresh(first)
        #expect(try await world.refresh(second).refreshToken == world.refresh(again).refreshToken)
        #expect(try await world.session(of: second)?.generation == 2)
    }

    /// The way in which the successor of a token is first used.
    enum FirstUse: CaseIterable { case accessToken, refreshToken, accessTokenOfTheSecondAnswer }

    /// - Returns: The session's tokens after that use.
    private func firstUse(_ kind: FirstUse, of second: Tokens, after first: Tokens) async throws -> Tokens {
        switch kind {
        case .accessToken: try await world.use(second)
        case .refreshToken: return try await world.refresh(second)
        case .accessTokenOfTheSecondAnswer: try await world.use(try await world.refresh(first))
        }
        return second
    }

    @Test(arguments: FirstUse.allCases)
    func `answers an earlier token for less than 30 s after its successor was first used`(use: FirstUse) async throws {
        let first = try await world.registered().tokens
        let second = try await world.refresh(first)
        world.clock.advance(by: .seconds(600))
        let current = try await firstUse(use, of: second, after: first)
        world.clock.advance(by: .seconds(29.9))
        #expect(try await world.refresh(first).refreshToken == current.refreshToken)
    }

    @Test(arguments: FirstUse.allCases)
    func `takes an earlier token for a thief's 30 s after its successor was first used`(use: FirstUse) async throws {
        let first = try await world.registered().tokens
        let second = try await world.refresh(first)
        world.clock.advance(by: .seconds(600))
        _ = try await firstUse(use, of: second, after: first)
        world.clock.advance(by: .seconds(30))
        await #expect(throws: AuthError.refreshTokenReused) { try await world.refresh(first) }
        #expect(try await world.session(of: second)?.revocation?.reason == .reuse)
    }

    @Test func `judges an earlier token by its successor's first use, also after many rotations`() async throws {
        var tokens = [try await world.registered().tokens]
        for _ in 0..<40 { tokens.append(try await world.refresh(tokens[tokens.count - 1])) }
        world.clock.advance(by: .seconds(29.9))
        let newest = try await world.refresh(tokens[40])
        for earlier in [0, 14, 15, 16, 31, 32] {
            #expect(try await world.refresh(tokens[earlier]).refreshToken == newest.refreshToken)
        }
        world.clock.advance(by: .seconds(0.1))
        await #expect(throws: AuthError.refreshTokenReused) { try await world.refresh(tokens[32]) }
    }

    @Test func `counts the 30 s from the first use, not from a later one`() async throws {
        let first = try await world.registered().tokens
        let second = try await world.refresh(first)
        try await world.use(second)
        world.clock.advance(by: .seconds(20))
        try await world.use(second)
        world.clock.advance(by: .seconds(10))
        await #expect(throws: AuthError.refreshTokenReused) { try await world.refresh(first) }
    }

    @Test func `does not count the use of an access token of an earlier generation`() async throws {
        let first = try await world.registered().tokens
        _ = try await world.refresh(first)
        try await world.use(first)
        world.clock.advance(by: .seconds(3_000))
        _ = try await world.refresh(first)
    }

    @Test func `answers an earlier token longer when the note of the first use was lost`() async throws {
        world.store.loseNotes()
        let first = try await world.registered().tokens
        let second = try await world.refresh(first)
        try await world.use(second)
        world.clock.advance(by: .seconds(60))
        #expect(try await world.refresh(first).refreshToken == second.refreshToken)
    }

    @Test func `answers a token whose successor is fresh, however often it was rotated since`() async throws {
        let first = try await world.registered().tokens
        let second = try await world.refresh(first)
        world.clock.advance(by: .seconds(100))
        let third = try await world.refresh(second)
        world.clock.advance(by: .seconds(10))
        let fourth = try await world.refresh(third)
        world.clock.advance(by: .seconds(19))
        #expect(try await world.refresh(first).refreshToken == fourth.refreshToken)
    }

    @Test func `takes a token for a thief's whose successor was forgotten`() async throws {
        let first = try await world.registered().tokens
        var tokens = try await world.refresh(first)
        for _ in 0..<3 {
            world.clock.advance(by: .seconds(31))
            tokens = try await world.refresh(tokens)
        }
        await #expect(throws: AuthError.refreshTokenReused) { try await world.refresh(first) }
    }

    @Test func `lets nothing of a session work once a theft was found`() async throws {
        let first = try await world.registered().tokens
        let second = try await world.refresh(first)
        let third = try await world.refresh(second)
        try await world.use(third)
        world.clock.advance(by: .seconds(30))
        await #expect(throws: AuthError.refreshTokenReused) { try await world.refresh(second) }
        for tokens in [first, second, third] {
            await #expect(throws: AuthError.refreshTokenReused) { try await world.refresh(tokens) }
            await #expect(throws: AuthError.sessionRevoked) { try await world.use(tokens) }
        }
        #expect(try await world.administration.sessions(of: ada).isEmpty)
    }

    @Test func `leaves the account's other sessions alone when a theft was found`() async throws {
        let first = try await world.registered().tokens
        let other = try await world.signIn().tokens
        try await world.use(world.refresh(first))
        world.clock.advance(by: .seconds(30))
        _ = await refusal { try await world.refresh(first) }
        try await world.use(other)
    }

    @Test func `tells in the audit log whose session was stolen`() async throws {
        let first = try await world.registered().tokens
        try await world.use(world.refresh(first))
        world.clock.advance(by: .seconds(30))
        _ = await refusal { try await world.refresh(first) }
        let event = try #require(try await world.events().last)
        #expect(event.action == "refresh")
        #expect(event.outcome == "refresh_token_reused")
        #expect(event.account == (try await world.account()?.id))
        #expect(event.session == (try await world.session(of: first)?.id))
    }

    @Test func `refuses what is none of our tokens`() async throws {
        let tokens = try await world.registered().tokens
        let current = try #require(tokens.refreshToken?.reveal())
        for text in ["", "x", tokens.accessToken.reveal(), current.replacingOccurrences(of: "/0/", with: "/7/")] {
            await #expect(throws: AuthError.refreshTokenInvalid) {
                try await world.engine.perform(Refresh(refreshToken: Secret(text)))
            }
        }
        _ = try await world.refresh(tokens)
    }

    @Test func `refuses the token of another app's session`() async throws {
        let tokens = try await world.registered().tokens
        let other = try World("clarity", .clarity, sharing: world)
        await #expect(throws: AuthError.refreshTokenInvalid) { try await other.refresh(tokens) }
        _ = try await world.refresh(tokens)
    }

    @Test func `notes where a session was last refreshed from`() async throws {
        let tokens = try await world.registered().tokens
        world.clock.advance(by: .seconds(10))
        _ = try await world.engine.serving(Caller(address: "192.0.2.9")).perform(
            Refresh(refreshToken: tokens.refreshToken ?? Secret("")))
        let session = try await world.session(of: tokens)
        #expect(session?.address == "192.0.2.9")
        #expect(session?.lastUsedAt.timeIntervalSince(world.clock.now).magnitude ?? 1 < 0.001)
    }
}
