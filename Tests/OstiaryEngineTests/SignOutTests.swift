import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@Suite struct SignOutTests {
    private let world: World

    init() throws { world = try World.vici() }

    private func signOut(_ call: SignOut) async throws { _ = try await world.engine.perform(call) }

    @Test func `ends the session of an access token`() async throws {
        let tokens = try await world.registered().tokens
        let other = try await world.signIn().tokens
        try await signOut(SignOut(accessToken: tokens.accessToken))
        await #expect(throws: AuthError.sessionRevoked) { try await world.use(tokens) }
        await #expect(throws: AuthError.refreshTokenRevoked) { try await world.refresh(tokens) }
        #expect(try await world.session(of: tokens)?.revocation?.reason == .signOut)
        try await world.use(other)
    }

    @Test func `ends the session of a refresh token`() async throws {
        let tokens = try await world.registered().tokens
        try await signOut(SignOut(refreshToken: tokens.refreshToken))
        await #expect(throws: AuthError.sessionRevoked) { try await world.use(tokens) }
    }

    @Test func `ends the session of an earlier refresh token`() async throws {
        let first = try await world.registered().tokens
        let second = try await world.refresh(first)
        try await world.use(second)
        world.clock.advance(by: .seconds(600))
        try await signOut(SignOut(refreshToken: first.refreshToken))
        await #expect(throws: AuthError.sessionRevoked) { try await world.use(second) }
        #expect(try await world.session(of: first)?.revocation?.reason == .signOut)
    }

    @Test(arguments: ["", "x", "access-99"])
    func `succeeds and does nothing with tokens that are none`(text: String) async throws {
        let tokens = try await world.registered().tokens
        try await signOut(SignOut(accessToken: Secret(text), refreshToken: Secret(text), alsoEnding: Secret(text)))
        try await signOut(SignOut())
        try await world.use(tokens)
    }

    @Test func `succeeds and does nothing the second time`() async throws {
        let tokens = try await world.registered().tokens
        let call = SignOut(accessToken: tokens.accessToken, refreshToken: tokens.refreshToken)
        try await signOut(call)
        let ended = try await world.session(of: tokens)?.revocation
        world.clock.advance(by: .seconds(1))
        try await signOut(call)
        #expect(try await world.session(of: tokens)?.revocation == ended)
    }

    @Test func `keeps the reason of a session that was stolen`() async throws {
        let first = try await world.registered().tokens
        try await world.use(world.refresh(first))
        world.clock.advance(by: .seconds(30))
        _ = await refusal { try await world.refresh(first) }
        try await signOut(SignOut(accessToken: first.accessToken, refreshToken: first.refreshToken))
        #expect(try await world.session(of: first)?.revocation?.reason == .reuse)
    }

    @Test func `ends another session of the same account that it names`() async throws {
        let tokens = try await world.registered().tokens
        let other = try await world.signIn().tokens
        try await signOut(SignOut(accessToken: tokens.accessToken, alsoEnding: other.accessToken))
        await #expect(throws: AuthError.sessionRevoked) { try await world.use(other) }
    }

    @Test func `leaves another account's session alone`() async throws {
        let mine = try await world.registered().tokens
        let theirs = try await world.registered("bob@example.com").tokens
        try await signOut(SignOut(accessToken: mine.accessToken, alsoEnding: theirs.accessToken))
        await #expect(throws: AuthError.sessionRevoked) { try await world.use(mine) }
        try await world.use(theirs)
    }

    @Test func `ends nothing for a token in the body alone`() async throws {
        let tokens = try await world.registered().tokens
        try await signOut(SignOut(alsoEnding: tokens.accessToken))
        try await world.use(tokens)
    }

    @Test func `leaves another app's session alone`() async throws {
        let tokens = try await world.registered().tokens
        let other = try World("clarity", .clarity, sharing: world)
        _ = try await other.engine.perform(SignOut(refreshToken: tokens.refreshToken))
        try await world.use(tokens)
    }
}
