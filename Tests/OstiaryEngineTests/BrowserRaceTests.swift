import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

/// Concurrent requests of one browser sign-in: they have one effect, and a code that is presented twice opens no session.
@Suite struct BrowserRaceTests {
    private let scene: BrowserWorld
    init() throws { scene = try BrowserWorld() }

    @Test func `RC-04: fifty uses of one code and state redeem it once and leave no session alive`() async throws {
        let ready = try await scene.visit()
        let answers = await inParallel(50) { [scene] _ -> Result<SignedIn, any Error> in
            do { return .success(try await scene.complete(ready)) } catch { return .failure(error) }
        }
        let tokens = answers.compactMap { try? $0.get().tokens }
        #expect(tokens.count <= 1)
        for case .failure(let error) in answers { #expect(error as? AuthError == .authorizationRefused) }
        for used in tokens { await #expect(throws: AuthError.sessionRevoked) { try await scene.world.use(used) } }
        #expect(scene.provider.grants.count == 1)
        let account = try #require(try await scene.world.administration.accounts(after: nil, limit: 100).page.first)
        #expect(try await scene.world.administration.sessions(of: account.id.text).isEmpty)
    }

    @Test(arguments: [false, true])
    func `a second use while the code is redeemed refuses the first one too`(isDirect: Bool) async throws {
        let scene = isDirect ? try BrowserWorld.auth0() : scene
        let ready: BrowserWorld.Ready
        if isDirect {
            _ = try await scene.beginSocial("google")
            let request = try #require(scene.provider.requests.last)
            ready = BrowserWorld.Ready(code: scene.provider.code(for: request), state: request.state)
        } else {
            ready = try await scene.visit()
        }
        @Sendable func complete() async throws {
            _ = isDirect ? try await scene.completeSocial(ready) : try await scene.complete(ready)
        }
        scene.provider.whileRedeeming {
            await #expect(throws: AuthError.authorizationRefused) { try await complete() }
        }
        await #expect(throws: AuthError.authorizationRefused) { try await complete() }
        #expect(scene.provider.grants.count == 1)
        let event = try #require(try await scene.world.events().last)
        let session = try #require(event.session)
        let state = try await scene.world.store.session(session, in: scene.world.engine.app.name)
        #expect(state?.session.revocation?.reason == .replayed)
        #expect(event.account == state?.account.id)
        #expect(event.outcome == "authorization_refused")
    }

    @Test func `a second use with another code while the first is redeemed ends no session`() async throws {
        let ready = try await scene.visit()
        scene.provider.whileRedeeming {
            let other = BrowserWorld.Ready(code: Secret("made up"), state: ready.state)
            await #expect(throws: AuthError.authorizationRefused) { try await scene.complete(other) }
        }
        let answer = try await scene.complete(ready)
        #expect(try await scene.world.use(answer.tokens) == answer.user)
    }

    @Test func `a second use in the moment before the session is opened refuses the first one too`() async throws {
        let ready = try await scene.visit()
        scene.world.store.interrupt("addSession") {
            await #expect(throws: AuthError.authorizationRefused) { try await scene.complete(ready) }
        }
        await #expect(throws: AuthError.authorizationRefused) { try await scene.complete(ready) }
    }

    @Test func `a second use between the session and its tokens ends the session`() async throws {
        let ready = try await scene.visit()
        scene.world.store.interrupt("addedSession") {
            await #expect(throws: AuthError.authorizationRefused) { try await scene.complete(ready) }
        }
        let answer = try await scene.complete(ready)
        await #expect(throws: AuthError.sessionRevoked) { try await scene.world.use(answer.tokens) }
    }

    @Test func `a second use while the second factor is asked for refuses the answer`() async throws {
        let world = scene.world
        let (app, _) = try await world.enrolled(scene.signIn().tokens)
        world.advanceStep()
        let ready = try await scene.visit()
        guard case .challengeRequired(let challenge) = await refusal(of: { try await scene.complete(ready) }) else {
            throw World.NothingCame()
        }
        await #expect(throws: AuthError.authorizationRefused) { try await scene.complete(ready) }
        // Past the life of the sign-in, within that of the challenge.
        world.clock.advance(by: .seconds(290))
        await #expect(throws: AuthError.challengeRefused) {
            try await world.answer(challenge, .totp, app.code(world))
        }
    }

    @Test func `a second use that the store cannot record is unavailable`() async throws {
        let ready = try await scene.visit()
        let store = scene.world.store
        scene.provider.whileRedeeming {
            store.fail("addSingleUseRecord")
            #expect(await refusal { try await scene.complete(ready) }?.code == "unavailable")
            store.recover()
        }
        let answer = try await scene.complete(ready)
        await #expect(throws: AuthError.authorizationRefused) { try await scene.complete(ready) }
        await #expect(throws: AuthError.sessionRevoked) { try await scene.world.use(answer.tokens) }
    }

    @Test func `twenty first sign-ins of one person at once make one account, and all succeed`() async throws {
        let ready = try await Self.visits(20, in: scene)
        let answers = await inParallel(20) { try? await scene.complete(ready[$0]) }
        #expect(answers.allSatisfy { $0 != nil })
        #expect(Set(answers.map { $0?.user?.id }).count == 1)
        #expect(try await scene.world.administration.accounts(after: nil, limit: 100).page.count == 1)
    }

    @Test func `twenty people at once with one address make twenty accounts with names of their own`() async throws {
        let scene = try BrowserWorld.google()
        let ready = try await withThrowingTaskGroup(of: BrowserWorld.Ready.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let mine = scene.with(cookie: "browser-\(number)")
                    let id = try await mine.beginSocial("google").split(separator: "=").last.map { String($0) } ?? ""
                    let url = try await mine.browser.startBrowser(id: Secret(id)).url
                    let state = url.split(separator: "=").last.map { String($0) } ?? ""
                    let request = try #require(scene.provider.requests.first { $0.state.reveal() == state })
                    let code = scene.provider.code(for: request, as: .ada { $0.subject = "ada-\(number)" })
                    try await mine.goBack(request.state, code: code)
                    return BrowserWorld.Ready(code: code, state: request.state)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let answers = await inParallel(20) { try? await scene.completeSocial(ready[$0]) }
        #expect(answers.allSatisfy { $0 != nil })
        #expect(Set(answers.map { $0?.user?.username?.canonical }).count == 20)
    }

    @Test func `a social sign-in starts once however often at once`() async throws {
        let scene = try BrowserWorld.google()
        let url = try await scene.beginSocial("google")
        let refusals = await inParallel(20) { _ in await refusal { _ = try await scene.start(url) } }
        #expect(refusals.count { $0 == nil } == 1)
    }

    @Test func `opens no session for an account that is disabled while the code is redeemed`() async throws {
        let id = try #require(try await scene.signIn().user?.id)
        let ready = try await scene.visit()
        let world = scene.world
        scene.provider.whileRedeeming { _ = try await world.administration.setActive(false, id.text) }
        await #expect(throws: AuthError.accountDisabled) { try await scene.complete(ready) }
        #expect(try await scene.world.administration.sessions(of: id.text).isEmpty)
    }

    @Test func `refuses what it was given, not a password, where the account changes in the last moment`() async throws
    {
        let id = try #require(try await scene.signIn().user?.id)
        let ready = try await scene.visit()
        let world = scene.world
        world.store.interrupt("addSession") { _ = try await world.administration.setActive(false, id.text) }
        await #expect(throws: AuthError.authorizationRefused) { try await scene.complete(ready) }
        #expect(try await scene.world.administration.sessions(of: id.text).isEmpty)
    }

    private static func visits(_ count: Int, in scene: BrowserWorld) async throws -> [BrowserWorld.Ready] {
        var ready: [BrowserWorld.Ready] = []
        for _ in 0..<count { ready.append(try await scene.visit()) }
        return ready
    }
}
