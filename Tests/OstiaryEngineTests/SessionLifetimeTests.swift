import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@Suite struct SessionLifetimeTests {
    @Test(
        arguments: [(-1.0, nil), (0, AuthError.refreshTokenExpired), (1, .refreshTokenExpired)]
            as [(Double, AuthError?)])
    func `ends a session that is not refreshed`(offset: Double, expected: AuthError?) async throws {
        let world = try World.vici()
        let tokens = try await world.registered().tokens
        world.clock.advance(by: .seconds(604_800 + offset))
        #expect(await refusal { try await world.refresh(tokens) } == expected)
    }

    @Test func `gives an access token its whole life, however long the session took to be kept`() async throws {
        for world in try [World.vici(), .viewvault()] {
            world.store.interrupt("addSession") { world.clock.advance(by: .seconds(0.9)) }
            let tokens = try await world.engine.perform(
                Register(email: EmailAddress(ada), username: Username("ada"), password: Secret(goodPassword))
            ).tokens
            #expect(tokens.expiresIn == .seconds(3600))
            let grant = try #require(world.accessTokens.grant(tokens.accessToken))
            #expect(grant.expiresAt.timeIntervalSince(grant.issuedAt) == 3600)
        }
    }

    @Test func `a shorter idle time of the app ends a session that is not refreshed`() async throws {
        let world = try World.vici { $0.sessions.idleSeconds = 7200 }
        let first = try await world.registered().tokens
        world.clock.advance(by: .seconds(7199))
        let second = try await world.refresh(first)
        world.clock.advance(by: .seconds(7200))
        #expect(await refusal { try await world.refresh(second) } == .refreshTokenExpired)
        let long = try World.vici { $0.sessions.idleSeconds = 31_536_000 }
        let session = try await long.session(of: long.registered().tokens)
        #expect(session?.idleSeconds == 604_800)
    }

    @Test func `the oldest session ends where the app keeps fewer`() async throws {
        let world = try World.vici { $0.sessions.maximum = 20 }
        let first = try await world.registered().tokens
        let second = try await world.signIn().tokens
        for _ in 0..<18 { _ = try await world.signIn() }
        try await world.use(first)
        _ = try await world.signIn()
        await #expect(throws: AuthError.sessionRevoked) { try await world.use(first) }
        #expect(try await world.session(of: first)?.revocation?.reason == .tooManySessions)
        try await world.use(second)
    }

    @Test func `sessions that have expired end none that is alive`() async throws {
        let world = try World.clarity { $0.sessions.maximum = 20 }
        try await world.registered()
        let remembered = try await world.signIn(rememberMe: true).tokens
        for _ in 0..<19 { _ = try await world.signIn() }
        world.clock.advance(by: .seconds(86_400))
        let last = try await world.signIn().tokens
        #expect(try await world.administration.sessions(of: ada).count == 2)
        _ = try await world.refresh(remembered)
        try await world.use(last)
    }

    @Test func `lets a refresh put the end off`() async throws {
        let world = try World.vici()
        var tokens = try await world.registered().tokens
        for _ in 0..<3 {
            world.clock.advance(by: .seconds(604_799))
            tokens = try await world.refresh(tokens)
        }
    }

    @Test func `does not let an earlier token put the end off`() async throws {
        let world = try World.vici()
        let first = try await world.registered().tokens
        let second = try await world.refresh(first)
        world.clock.advance(by: .seconds(604_799))
        _ = try await world.refresh(first)
        world.clock.advance(by: .seconds(1))
        await #expect(throws: AuthError.refreshTokenExpired) { try await world.refresh(second) }
        await #expect(throws: AuthError.refreshTokenExpired) { try await world.refresh(first) }
    }

    @Test(
        arguments: [(-1.0, nil), (0, AuthError.refreshTokenExpired), (1, .refreshTokenExpired)]
            as [(Double, AuthError?)])
    func `ends a session however often it is refreshed`(offset: Double, expected: AuthError?) async throws {
        let world = try World.vici { $0.sessions.absoluteSeconds = 1_000_000 }
        var tokens = try await world.registered().tokens
        world.clock.advance(by: .seconds(500_000))
        tokens = try await world.refresh(tokens)
        world.clock.advance(by: .seconds(500_000 + offset))
        #expect(await refusal { try await world.refresh(tokens) } == expected)
    }

    @Test func `lets no access token outlive a session that was not refreshed`() async throws {
        let world = try World.vici { $0.rules.refresh?.seconds = 600 }
        let tokens = try await world.registered().tokens
        world.clock.advance(by: .seconds(599))
        try await world.use(tokens)
        world.clock.advance(by: .seconds(1))
        await #expect(throws: AuthError.invalidAccessToken) { try await world.use(tokens) }
    }

    @Test func `ends for an access token in the millisecond in which it ends for a refresh token`() async throws {
        let world = try World.vici { $0.rules.refresh?.seconds = 600 }
        let tokens = try await world.registered().tokens
        // The clock is 0.3 ms before the end, which is kept in milliseconds.
        world.clock.advance(by: .seconds(599.9993))
        await #expect(throws: AuthError.refreshTokenExpired) { try await world.refresh(tokens) }
        await #expect(throws: AuthError.invalidAccessToken) { try await world.use(tokens) }
    }

    @Test func `lets no access token outlive its session`() async throws {
        let world = try World.vici { $0.sessions.absoluteSeconds = 4000 }
        let first = try await world.registered().tokens
        world.clock.advance(by: .seconds(3000))
        let second = try await world.refresh(first)
        #expect(second.expiresIn == .seconds(1000))
        world.clock.advance(by: .seconds(1000))
        await #expect(throws: AuthError.invalidAccessToken) { try await world.use(second) }
    }

    @Test(
        arguments: [(-1.0, nil), (0, AuthError.invalidAccessToken), (1, .invalidAccessToken)] as [(Double, AuthError?)])
    func `ends an access token after its time`(offset: Double, expected: AuthError?) async throws {
        let world = try World.vici()
        let tokens = try await world.registered().tokens
        world.clock.advance(by: .seconds(3600 + offset))
        #expect(await refusal { try await world.use(tokens) } == expected)
    }

    @Test(arguments: [(false, 86_400.0), (true, 2_592_000)])
    func `lives longer where the person asked to be remembered`(remembered: Bool, seconds: Double) async throws {
        let world = try World.clarity()
        try await world.registered()
        let tokens = try await world.signIn(rememberMe: remembered).tokens
        world.clock.advance(by: .seconds(seconds - 1))
        let next = try await world.refresh(tokens)
        world.clock.advance(by: .seconds(seconds))
        await #expect(throws: AuthError.refreshTokenExpired) { try await world.refresh(next) }
    }

    @Test func `makes no difference where the contract makes none`() async throws {
        let world = try World.vici()
        try await world.registered()
        let tokens = try await world.signIn(rememberMe: false).tokens
        world.clock.advance(by: .seconds(604_799))
        _ = try await world.refresh(tokens)
    }

    @Test func `ends with the access token where there is no refresh`() async throws {
        let world = try World.viewvault()
        let tokens = try await world.engine.perform(
            Register(username: Username("ada"), password: Secret(goodPassword))
        ).tokens
        world.clock.advance(by: .seconds(3599))
        try await world.use(tokens)
        #expect(try await world.administration.sessions(of: "ada").count == 1)
        world.clock.advance(by: .seconds(1))
        await #expect(throws: AuthError.invalidAccessToken) { try await world.use(tokens) }
        #expect(try await world.administration.sessions(of: "ada").isEmpty)
    }
}
