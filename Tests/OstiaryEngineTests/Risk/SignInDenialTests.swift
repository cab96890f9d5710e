import Foundation
import OstiaryCore
@testable import OstiaryEngine
import OstiaryEngineTestSupport
import OstiaryTesting
import Testing

/// The button "This was not me": see decision 79.
@Suite struct SignInDenialTests {
    private let world: World

    init() throws { world = try .risky() }

    /// A sign-in of an attacker, and the token of the owner's notice.
    private func attacked() async throws -> (owner: SignedIn, attacker: SignedIn, token: Secret<String>) {
        let owner = try await world.settled()
        let attacker = try await world.signIn(at: ListedLocations.newYork)
        return (owner, attacker, try #require(world.signInNotices.last).denialToken)
    }

    private func hasEnded(_ signedIn: SignedIn) async throws -> Bool {
        try await world.session(of: signedIn.tokens)?.revocation?.reason == .deniedByOwner
    }

    @Test func `opening the link changes nothing`() async throws {
        let (owner, attacker, token) = try await attacked()
        for _ in 1...3 { #expect(try await world.engine.signIn(deniedBy: token) == world.clock.now.asStored) }
        try await world.use(owner.tokens)
        try await world.use(attacker.tokens)
        try await world.signIn(at: ListedLocations.berlin)
    }

    @Test func `the button ends all sessions, makes the password unusable and mails a reset`() async throws {
        let (owner, attacker, token) = try await attacked()
        #expect(try await world.engine.denySignIn(token))
        #expect(try await hasEnded(owner))
        #expect(try await hasEnded(attacker))
        #expect(
            await refusal { try await world.signIn(at: ListedLocations.berlin) } == .wrongCredentials)
        guard case .passwordReset(let reset, _)? = world.notificationSealer.messages.last?.notice else {
            throw World.NothingCame()
        }
        _ = try await world.engine.perform(ResetPassword(proof: .token(reset), password: Secret(otherPassword)))
        try await world.signIn(at: ListedLocations.berlin, password: otherPassword)
        let event = try #require(try await world.lastEvent("denySignIn"))
        #expect(event.outcome == "ok" && event.account != nil && event.session == nil)
    }

    @Test func `the button works once, also of two presses at the same time`() async throws {
        let (_, _, token) = try await attacked()
        let outcomes = await inParallel(4) { _ in await refusal { try await world.engine.denySignIn(token) } }
        #expect(outcomes.count { $0 == nil } == 1)
        #expect(outcomes.count { $0 == .notFound } == 3)
        #expect(await refusal { try await world.engine.signIn(deniedBy: token) } == .notFound)
    }

    @Test func `the link is void after a change of the password`() async throws {
        let (owner, _, token) = try await attacked()
        _ = try await world.engine.perform(
            ChangePassword(
                accessToken: owner.tokens.accessToken, currentPassword: Secret(goodPassword),
                newPassword: Secret(otherPassword)))
        #expect(await refusal { try await world.engine.signIn(deniedBy: token) } == .notFound)
        #expect(await refusal { try await world.engine.denySignIn(token) } == .notFound)
        try await world.signIn(at: ListedLocations.berlin, password: otherPassword)
    }

    @Test func `the link is void after seven days`() async throws {
        let (_, _, token) = try await attacked()
        world.clock.advance(by: .seconds(7 * 86_400 - 1))
        _ = try await world.engine.signIn(deniedBy: token)
        world.clock.advance(by: .seconds(1))
        #expect(await refusal { try await world.engine.denySignIn(token) } == .notFound)
    }

    @Test(arguments: ["", "abc", String(repeating: "a", count: 100_000)])
    func `another token is no link`(token: String) async throws {
        _ = try await attacked()
        #expect(await refusal { try await world.engine.denySignIn(Secret(token)) } == .notFound)
    }

    @Test func `a link of another app is no link`() async throws {
        let (_, _, token) = try await attacked()
        let other = try World("vici", .vici, sharing: world)
        #expect(await refusal { try await other.engine.denySignIn(token) } == .notFound)
    }

    @Test func `the networks of the account are forgotten`() async throws {
        let (_, _, token) = try await attacked()
        let account = try #require(try await world.account())
        let engine = world.engine(at: ListedLocations.newYork)
        #expect(try await engine.recognition(of: engine.guessSubject(of: account)).isNetworkKnown)
        _ = try await world.engine.denySignIn(token)
        #expect(try await !engine.recognition(of: engine.guessSubject(of: account)).isNetworkKnown)
    }

    @Test func `the devices of the account are forgotten`() async throws {
        let (_, _, token) = try await attacked()
        let account = try #require(try await world.account())
        let (app, id) = (account.app, account.id)
        #expect(try await !world.store.devices(of: id, in: app, at: world.clock.now).isEmpty)
        _ = try await world.engine.denySignIn(token)
        #expect(try await world.store.devices(of: id, in: app, at: world.clock.now).isEmpty)
    }

    // MARK: Accounts without a password

    /// An account with nothing but a passkey, its first session, and the token of a notice.
    private func passkeyAccount(
        _ world: World, _ device: TestPasskeys
    ) async throws -> (tokens: Tokens, account: Account, token: Secret<String>) {
        let tokens = try await world.register(with: device).tokens
        let account = try #require(try await world.account())
        let denial = SignInDenial(account, at: world.clock.now, in: world.engine)
        try await world.store.add(denial.record())
        return (tokens, account, denial.token)
    }

    @Test func `the button ends the access to an account without a password in one commit`() async throws {
        let (world, device) = (try World.passkeys(), TestPasskeys())
        let (tokens, account, token) = try await passkeyAccount(world, device)
        for call in ["revokeAll", "redeemSingleUseRecord"] { world.store.fail(call) }
        #expect(try await !world.engine.denySignIn(token))
        let session = try #require(try await world.session(of: tokens))
        #expect(session.revocation?.reason == .deniedByOwner)
        let after = try #require(try await world.account())
        #expect(after.passwordHash == nil && after.credentialVersion == account.credentialVersion + 1)
        #expect(try await world.store.devices(of: account.id, in: account.app, at: world.clock.now).isEmpty)
        #expect(await refusal { try await world.engine.signIn(deniedBy: token) } == .notFound)
        #expect(await refusal { try await world.engine.denySignIn(token) } == .notFound)
    }

    @Test func `the button of an account without a password works once, also of two presses at the same time`()
        async throws
    {
        let (world, device) = (try World.passkeys(), TestPasskeys())
        let token = try await passkeyAccount(world, device).token
        let outcomes = await inParallel(4) { _ in await refusal { try await world.engine.denySignIn(token) } }
        #expect(outcomes.count { $0 == nil } == 1)
        #expect(outcomes.count { $0 == .notFound } == 3)
    }

    @Test func `a sign-in with a passkey that is in progress opens no session after the button`() async throws {
        let (world, device) = (try World.passkeys(), TestPasskeys())
        let token = try await passkeyAccount(world, device).token
        world.store.interrupt("addSession") { _ = try await world.engine.denySignIn(token) }
        await #expect(throws: AuthError.self) { try await world.signIn(with: device) }
        #expect(try await world.administration.sessions(of: ada).isEmpty)
    }

    @Test func `access ends although the reset cannot be mailed`() async throws {
        let (owner, _, token) = try await attacked()
        world.notificationSealer.setFull(true)
        #expect(try await !world.engine.denySignIn(token))
        #expect(try await hasEnded(owner))
    }
}
