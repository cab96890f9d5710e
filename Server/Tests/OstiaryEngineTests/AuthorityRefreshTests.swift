import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

/// Refreshing where somebody else decides whether a person may go on.
@Suite(.timeLimit(.minutes(1))) struct AuthorityRefreshTests {
    private let authority = ScriptedAuthority()
    private let world: World
    init() throws { world = try .delegating(to: authority) { $0.limits = .generous } }

    @Test func `asks the authority each time, with what it gave last`() async throws {
        let first = try await world.signIn().tokens
        let second = try await world.refresh(first)
        _ = try await world.refresh(second)
        #expect(authority.renewals.map { String(decoding: $0, as: UTF8.self) } == ["theirs-1", "theirs-2"])
    }

    @Test func `does not ask for an earlier token that comes back`() async throws {
        let first = try await world.signIn().tokens
        let second = try await world.refresh(first)
        #expect(try await world.refresh(first).refreshToken == second.refreshToken)
        #expect(authority.renewals.count == 1)
    }

    @Test func `does not ask for a token that is nobody's or whose session is over`() async throws {
        let tokens = try await world.signIn().tokens
        await #expect(throws: AuthError.refreshTokenInvalid) {
            try await world.engine.refresh(Refresh(refreshToken: Secret("refresh/nobodys/0/x/0/0")))
        }
        _ = try await world.engine.signOut(SignOut(refreshToken: tokens.refreshToken))
        await #expect(throws: AuthError.refreshTokenRevoked) { try await world.refresh(tokens) }
        let others = try await world.signIn().tokens
        world.clock.advance(86_400)
        await #expect(throws: AuthError.refreshTokenExpired) { try await world.refresh(others) }
        #expect(authority.renewals.isEmpty)
    }

    @Test func `finds a theft without asking`() async throws {
        let first = try await world.signIn().tokens
        let second = try await world.refresh(first)
        _ = try await world.refresh(second)
        world.clock.advance(30)
        await #expect(throws: AuthError.refreshTokenReused) { try await world.refresh(first) }
        #expect(authority.renewals.count == 2)
        #expect(await authority.ended.first { _ in true } == Array("theirs-3".utf8))
    }

    @Test func `ends the session of somebody the authority does not let go on`() async throws {
        let tokens = try await world.signIn().tokens
        authority.forgetEverybody()
        await #expect(throws: AuthError.refreshTokenRevoked) { try await world.refresh(tokens) }
        #expect(try await world.session(of: tokens)?.revocation?.reason == .authorityRefused)
        await #expect(throws: AuthError.sessionRevoked) { try await world.use(tokens) }
        await #expect(throws: AuthError.refreshTokenRevoked) { try await world.refresh(tokens) }
        #expect(authority.renewals.count == 1)
        #expect(world.naps.taken.count == 3)
        #expect(world.naps.taken.reduce(.zero, +) <= .seconds(1))
    }

    @Test func `says whose session that was`() async throws {
        let tokens = try await world.signIn().tokens
        let session = try #require(try await world.session(of: tokens))
        authority.forgetEverybody()
        _ = await refusal { try await world.refresh(tokens) }
        let event = try #require(try await world.events().last)
        #expect(event.outcome == "refresh_token_revoked")
        #expect(event.session == session.id)
        #expect(event.account == session.accountID)
    }

    @Test func `hands on that it is asked for patience, and rotates nothing`() async throws {
        let tokens = try await world.signIn().tokens
        authority.fail(PasswordAuthorityRefusal.throttled(retryAfterSeconds: 8))
        await #expect(throws: AuthError.tooManyAttempts(retryAfterSeconds: 8)) { try await world.refresh(tokens) }
        authority.fail(nil)
        #expect(try await world.session(of: tokens)?.generation == 0)
        _ = try await world.refresh(tokens)
    }

    @Test func `is unavailable while the authority is away, and rotates nothing`() async throws {
        let tokens = try await world.signIn().tokens
        authority.fail(ScriptedAuthority.Away())
        #expect(await refusal { try await world.refresh(tokens) } == .unavailable(incident: "incident-1"))
        authority.fail(nil)
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

    @Test func `ends a session from before the app had an authority`() async throws {
        let local = try World("clarity", .clarity, seed: 2, sharing: world)
        let tokens = try await local.registered("old@example.com").tokens
        await #expect(throws: AuthError.refreshTokenRevoked) { try await world.refresh(tokens) }
        #expect(authority.renewals.isEmpty)
    }

    // MARK: At once

    @Test func `asks once however many refresh at once, and answers all alike`() async throws {
        let tokens = try await world.signIn().tokens
        authority.whileRenewing { for _ in 0..<200 { await Task.yield() } }
        let answers = await inParallel(20) { _ in try? await world.refresh(tokens) }
        #expect(answers.allSatisfy { $0 != nil })
        #expect(Set(answers.map { $0?.refreshToken }).count == 1)
        #expect(authority.renewals.count == 1)
        #expect(try await world.session(of: tokens)?.generation == 1)
    }

    @Test func `lets one of many through in the strict profile`() async throws {
        let authority = ScriptedAuthority()
        let world = try World.delegating(to: authority) {
            $0.limits = .generous
            $0.replay.isStrict = true
        }
        let tokens = try await world.signIn().tokens
        authority.whileRenewing { for _ in 0..<200 { await Task.yield() } }
        let answers = await inParallel(20) { _ in try? await world.refresh(tokens) }
        #expect(answers.count { $0 != nil } == 1)
        #expect(try await world.session(of: tokens)?.revocation?.reason == .reuse)
    }

    @Test func `refuses all of many whom the authority refuses, and asks once`() async throws {
        let tokens = try await world.signIn().tokens
        authority.forgetEverybody()
        authority.whileRenewing { for _ in 0..<200 { await Task.yield() } }
        let refusals = await inParallel(20) { _ in await refusal { try await world.refresh(tokens) } }
        #expect(refusals.allSatisfy { $0 == .refreshTokenRevoked })
        #expect(authority.renewals.count == 1)
    }

    @Test func `lets sessions of different people renew beside each other`() async throws {
        authority.set(goodPassword, for: "bob@example.com")
        let (tokens, others) = (try await world.signIn().tokens, try await world.signIn("bob@example.com").tokens)
        let world = world
        authority.whileRenewing { _ = try await world.refresh(others) }
        _ = try await world.refresh(tokens)
        #expect(authority.renewals.count == 2)
    }

    @Test func `keeps the session that another node renewed first`() async throws {
        let tokens = try await world.signIn().tokens
        let node = try World.delegating(to: authority, sharing: world, seed: 2) { $0.limits = .generous }
        // The other node spends what this one is about to ask with.
        authority.whileRenewing { _ = try await node.refresh(tokens) }
        let mine = try await world.refresh(tokens)
        #expect(try await node.refresh(tokens).refreshToken == mine.refreshToken)
        #expect(try await world.session(of: tokens)?.revocation == nil)
        #expect(try await world.session(of: tokens)?.generation == 1)
        _ = try await world.refresh(mine)
    }

    @Test(arguments: 1...3)
    func `waits for another node that has not written down yet what it got`(nap: Int) async throws {
        let tokens = try await world.signIn().tokens
        let session = try #require(try await world.session(of: tokens)?.id)
        let (store, app) = (world.store, world.engine.app.name)
        authority.forgetEverybody()
        world.naps.during { number in
            guard number == nap else { return }
            _ = try await store.replaceAttachment(of: session, in: app, version: 0, with: [1])
        }
        _ = try await world.refresh(tokens)
        #expect(world.naps.taken.count == nap)
        #expect(try await world.session(of: tokens)?.revocation == nil)
    }

    @Test func `keeps what the authority gave though whoever asked is gone`() async throws {
        let tokens = try await world.signIn().tokens
        let world = world
        let asking = Task { try await world.refresh(tokens) }
        authority.whileRenewing { asking.cancel() }
        _ = try? await asking.value
        let next = try await world.refresh(tokens)
        _ = try await world.refresh(next)
        #expect(authority.renewals.count == 2)
    }

    @Test func `leaves no token alive when somebody signs out while the session is renewed`() async throws {
        let tokens = try await world.signIn().tokens
        let engine = world.engine
        authority.whileRenewing { _ = try await engine.signOut(SignOut(refreshToken: tokens.refreshToken)) }
        await #expect(throws: AuthError.refreshTokenRevoked) { try await world.refresh(tokens) }
        await #expect(throws: AuthError.sessionRevoked) { try await world.use(tokens) }
    }
}
