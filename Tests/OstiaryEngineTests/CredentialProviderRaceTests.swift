import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

/// Concurrent refreshes where an external credential provider decides whether the person may continue.
@Suite(.timeLimit(.minutes(1))) struct CredentialProviderRaceTests {
    private let credentialProvider = ScriptedCredentialProvider()
    private let world: World
    init() throws { world = try .delegating(to: credentialProvider) { $0.limits = .generous } }

    @Test func `asks once however often an earlier token comes back at once`() async throws {
        let first = try await world.signIn().tokens
        let second = try await world.refresh(first)
        let store = world.store
        let before = store.calls.count { $0 == "rotate" }
        // Holds the renewal until every request has learned that its token is an earlier one, and waits.
        credentialProvider.whileRenewing {
            while store.calls.count(where: { $0 == "rotate" }) < before + 20 { await Task.yield() }
            for _ in 0..<200 { await Task.yield() }
        }
        let answers = await inParallel(20) { _ in try? await world.refresh(first) }
        #expect(answers.allSatisfy { $0?.refreshToken == second.refreshToken })
        #expect(credentialProvider.renewals.count == 2)
    }

    @Test func `asks once however many refresh at once, and answers all alike`() async throws {
        let tokens = try await world.signIn().tokens
        let store = world.store
        let before = store.calls.count { $0 == "session" }
        // Holds the renewal until every request has arrived, and the first has read the session again.
        credentialProvider.whileRenewing {
            while store.calls.count(where: { $0 == "session" }) < before + 21 { await Task.yield() }
            for _ in 0..<200 { await Task.yield() }
        }
        let answers = await inParallel(20) { _ in try? await world.refresh(tokens) }
        #expect(answers.allSatisfy { $0 != nil })
        #expect(Set(answers.map { $0?.refreshToken }).count == 1)
        #expect(credentialProvider.renewals.count == 1)
        #expect(try await world.session(of: tokens)?.generation == 1)
    }

    @Test func `does not ask again for a refresh that read the session before another rotated it`() async throws {
        let world = world
        let tokens = try await world.signIn().tokens
        // The other refresh ends between this one's first read and its turn.
        world.store.interrupt("session") { _ = try await world.refresh(tokens) }
        let answer = try await world.refresh(tokens)
        #expect(credentialProvider.renewals.count == 1)
        #expect(try await world.session(of: tokens)?.generation == 1)
        #expect(try await world.refresh(tokens).refreshToken == answer.refreshToken)
    }

    @Test func `lets one of many through in the strict profile`() async throws {
        let credentialProvider = ScriptedCredentialProvider()
        let world = try World.delegating(to: credentialProvider) {
            $0.limits = .generous
            $0.replay.isStrict = true
        }
        let tokens = try await world.signIn().tokens
        credentialProvider.whileRenewing { for _ in 0..<200 { await Task.yield() } }
        let answers = await inParallel(20) { _ in try? await world.refresh(tokens) }
        #expect(answers.count { $0 != nil } == 1)
        #expect(try await world.session(of: tokens)?.revocation?.reason == .reuse)
    }

    @Test func `refuses all of many whom the credential provider refuses, and asks once`() async throws {
        let tokens = try await world.signIn().tokens
        credentialProvider.forgetEverybody()
        credentialProvider.whileRenewing { for _ in 0..<200 { await Task.yield() } }
        let refusals = await inParallel(20) { _ in await refusal { try await world.refresh(tokens) } }
        #expect(refusals.allSatisfy { $0 == .refreshTokenRevoked })
        #expect(credentialProvider.renewals.count == 1)
    }

    @Test func `lets sessions of different people renew beside each other`() async throws {
        credentialProvider.set(goodPassword, for: "bob@example.com")
        let (tokens, others) = (try await world.signIn().tokens, try await world.signIn("bob@example.com").tokens)
        let world = world
        credentialProvider.whileRenewing { _ = try await world.refresh(others) }
        _ = try await world.refresh(tokens)
        #expect(credentialProvider.renewals.count == 2)
    }

    @Test func `keeps the session that another node renewed first`() async throws {
        let tokens = try await world.signIn().tokens
        let node = try World.delegating(to: credentialProvider, sharing: world, seed: 2) { $0.limits = .generous }
        // The other node redeems the session that this one is about to renew.
        credentialProvider.whileRenewing { _ = try await node.refresh(tokens) }
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
        credentialProvider.forgetEverybody()
        world.naps.during { number in
            guard number == nap else { return }
            _ = try await store.replaceAttachment(of: session, in: app, version: 0, with: [1])
        }
        _ = try await world.refresh(tokens)
        #expect(world.naps.taken.count == nap)
        #expect(try await world.session(of: tokens)?.revocation == nil)
    }

    @Test func `keeps what the credential provider gave though whoever asked is gone`() async throws {
        let tokens = try await world.signIn().tokens
        let world = world
        let asking = Task { try await world.refresh(tokens) }
        credentialProvider.whileRenewing { asking.cancel() }
        _ = try? await asking.value
        let next = try await world.refresh(tokens)
        _ = try await world.refresh(next)
        #expect(
            credentialProvider.renewals.map { String(decoding: $0, as: UTF8.self) } == [
                "theirs-1", "theirs-2", "theirs-3",
            ])
    }

    @Test func `leaves no token alive when somebody signs out while the session is renewed`() async throws {
        let tokens = try await world.signIn().tokens
        let engine = world.engine
        credentialProvider.whileRenewing { _ = try await engine.perform(SignOut(refreshToken: tokens.refreshToken)) }
        await #expect(throws: AuthError.refreshTokenRevoked) { try await world.refresh(tokens) }
        await #expect(throws: AuthError.sessionRevoked) { try await world.use(tokens) }
    }
}
