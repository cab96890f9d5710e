import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

/// Concurrent requests of one browser sign-in: they have one effect, and no caller is refused without need.
@Suite struct BrowserRaceTests {
    private let scene: BrowserWorld
    init() throws { scene = try BrowserWorld() }

    @Test func `fifty uses of one code and state sign in once`() async throws {
        let ready = try await scene.visit()
        let refusals = await inParallel(50) { _ in await refusal { try await scene.complete(ready) } }
        #expect(refusals.count { $0 == nil } == 1)
        #expect(refusals.allSatisfy { $0 == nil || $0 == .authorizationRefused })
        #expect(scene.provider.grants.count == 1)
        #expect(try await scene.world.administration.accounts(after: nil, limit: 100).page.count == 1)
    }

    @Test func `a second use while the code is redeemed redeems nothing and disables nobody`() async throws {
        let ready = try await scene.visit()
        scene.provider.whileRedeeming {
            await #expect(throws: AuthError.authorizationRefused) { try await scene.complete(ready) }
        }
        let answer = try await scene.complete(ready)
        #expect(try await scene.world.use(answer.tokens) == answer.user)
        #expect(scene.provider.grants.count == 1)
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
