import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

/// A refresh where an external credential provider decides whether the person may continue.
@Suite(.timeLimit(.minutes(1))) struct CredentialProviderRefreshTests {
    private let credentialProvider = ScriptedCredentialProvider()
    private let world: World
    init() throws { world = try .delegating(to: credentialProvider) { $0.limits = .generous } }

    @Test func `asks the credential provider each time, with what it gave last`() async throws {
        let first = try await world.signIn().tokens
        let second = try await world.refresh(first)
        _ = try await world.refresh(second)
        #expect(credentialProvider.renewals.map { String(decoding: $0, as: UTF8.self) } == ["theirs-1", "theirs-2"])
    }

    @Test func `asks about an earlier token that comes back before it is answered`() async throws {
        let first = try await world.signIn().tokens
        let second = try await world.refresh(first)
        #expect(try await world.refresh(first).refreshToken == second.refreshToken)
        #expect(credentialProvider.renewals.map { String(decoding: $0, as: UTF8.self) } == ["theirs-1", "theirs-2"])
        _ = try await world.refresh(second)
    }

    @Test func `does not answer an earlier token of somebody the credential provider does not let go on`() async throws
    {
        let first = try await world.signIn().tokens
        let second = try await world.refresh(first)
        credentialProvider.forgetEverybody()
        await #expect(throws: AuthError.refreshTokenRevoked) { try await world.refresh(first) }
        #expect(try await world.session(of: first)?.revocation?.reason == .authorityRefused)
        await #expect(throws: AuthError.refreshTokenRevoked) { try await world.refresh(second) }
    }

    @Test func `does not answer an earlier token while the credential provider is away`() async throws {
        let first = try await world.signIn().tokens
        let second = try await world.refresh(first)
        credentialProvider.fail(ScriptedCredentialProvider.Away())
        #expect(await refusal { try await world.refresh(first) } == .unavailable(incident: "incident-1"))
        credentialProvider.fail(nil)
        #expect(try await world.refresh(first).refreshToken == second.refreshToken)
    }

    @Test func `does not ask for a token that is nobody's or whose session is over`() async throws {
        let tokens = try await world.signIn().tokens
        await #expect(throws: AuthError.refreshTokenInvalid) {
            try await world.engine.perform(Refresh(refreshToken: Secret("refresh/nobodys/0/x/0/0")))
        }
        _ = try await world.engine.perform(SignOut(refreshToken: tokens.refreshToken))
        await #expect(throws: AuthError.refreshTokenRevoked) { try await world.refresh(tokens) }
        let others = try await world.signIn().tokens
        world.clock.advance(by: .seconds(86_400))
        await #expect(throws: AuthError.refreshTokenExpired) { try await world.refresh(others) }
        #expect(credentialProvider.renewals.isEmpty)
    }

    @Test func `finds a theft without asking`() async throws {
        let first = try await world.signIn().tokens
        let second = try await world.refresh(first)
        _ = try await world.refresh(second)
        world.clock.advance(by: .seconds(30))
        await #expect(throws: AuthError.refreshTokenReused) { try await world.refresh(first) }
        #expect(credentialProvider.renewals.count == 2)
        #expect(await credentialProvider.ended.first { _ in true } == Array("theirs-3".utf8))
    }

    @Test func `ends the session of somebody the credential provider does not let go on`() async throws {
        let tokens = try await world.signIn().tokens
        credentialProvider.forgetEverybody()
        await #expect(throws: AuthError.refreshTokenRevoked) { try await world.refresh(tokens) }
        #expect(try await world.session(of: tokens)?.revocation?.reason == .authorityRefused)
        await #expect(throws: AuthError.sessionRevoked) { try await world.use(tokens) }
        await #expect(throws: AuthError.refreshTokenRevoked) { try await world.refresh(tokens) }
        #expect(credentialProvider.renewals.count == 1)
        #expect(world.naps.taken.count == 3)
        #expect(world.naps.taken.reduce(.zero, +) <= .seconds(1))
    }

    @Test func `says whose session that was`() async throws {
        let tokens = try await world.signIn().tokens
        let session = try #require(try await world.session(of: tokens))
        credentialProvider.forgetEverybody()
        _ = await refusal { try await world.refresh(tokens) }
        let event = try #require(try await world.events().last)
        #expect(event.outcome == "refresh_token_revoked")
        #expect(event.session == session.id)
        #expect(event.account == session.accountID)
    }

    @Test func `hands on that it is asked for patience, and rotates nothing`() async throws {
        let tokens = try await world.signIn().tokens
        credentialProvider.fail(CredentialProviderRefusal.throttled(retryAfterSeconds: 8))
        await #expect(throws: AuthError.tooManyAttempts(retryAfterSeconds: 8)) { try await world.refresh(tokens) }
        credentialProvider.fail(nil)
        #expect(try await world.session(of: tokens)?.generation == 0)
        _ = try await world.refresh(tokens)
    }

    @Test func `is unavailable while the credential provider is away, and rotates nothing`() async throws {
        let tokens = try await world.signIn().tokens
        credentialProvider.fail(ScriptedCredentialProvider.Away())
        #expect(await refusal { try await world.refresh(tokens) } == .unavailable(incident: "incident-1"))
        credentialProvider.fail(nil)
        #expect(try await world.session(of: tokens)?.generation == 0)
        try await world.use(tokens)
        _ = try await world.refresh(tokens)
    }

    @Test(arguments: ["session", "attachment", "replaceAttachment", "rotate"])
    func `is unavailable while the store is away, and ends nobody's session`(call: String) async throws {
        let tokens = try await world.signIn().tokens
        world.store.fail(call)
        #expect(await refusal { try await world.refresh(tokens) } == .unavailable(incident: "incident-1"))
        world.store.recover()
        #expect(try await world.session(of: tokens)?.revocation == nil)
    }

    @Test func `ends a session from before the app had a credential provider`() async throws {
        let local = try World("clarity", .clarity, seed: 2, sharing: world)
        let tokens = try await local.registered("old@example.com").tokens
        await #expect(throws: AuthError.refreshTokenRevoked) { try await world.refresh(tokens) }
        #expect(credentialProvider.renewals.isEmpty)
    }
}
