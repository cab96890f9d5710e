import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

/// The completion of a browser sign-in by an app.
@Suite struct BrowserCompletionTests {
    private let scene: BrowserWorld
    init() throws { scene = try BrowserWorld() }

    private func expectRefusal(_ ready: BrowserWorld.Ready) async {
        await #expect(throws: AuthError.authorizationRefused) { try await scene.complete(ready) }
    }

    @Test func `signs in with what the browser brought back`() async throws {
        let answer = try await scene.signIn()
        #expect(answer.user?.username == (try Username("ada.l")))
        #expect(try await scene.world.use(answer.tokens) == answer.user)
    }

    @Test(arguments: [
        "timetracker://oauth/other", "timetracker://oauth/callback/", "TIMETRACKER://oauth/callback", "",
    ])
    func `refuses another redirect URI than the one begun with, and burns the state`(uri: String) async throws {
        let ready = try await scene.visit()
        await #expect(throws: AuthError.authorizationRefused) { try await scene.complete(ready, redirectURI: uri) }
        await expectRefusal(ready)
        #expect(scene.provider.grants.isEmpty)
    }

    @Test func `refuses another registered redirect URI than the one begun with`() async throws {
        let scene = try BrowserWorld { $0.redirectURIs.registered.append("timetracker://other") }
        let ready = try await scene.visit()
        await #expect(throws: AuthError.authorizationRefused) {
            try await scene.complete(ready, redirectURI: "timetracker://other")
        }
    }

    @Test func `refuses another code than the browser came back with, and burns the state`() async throws {
        var ready = try await scene.visit()
        let code = ready.code
        ready.code = try await scene.visit().code
        await expectRefusal(ready)
        ready.code = code
        await expectRefusal(ready)
        #expect(scene.provider.grants.isEmpty)
    }

    @Test func `refuses a state that nobody was given`() async throws {
        var ready = try await scene.visit()
        ready.state = Secret("made up")
        await expectRefusal(ready)
    }

    @Test func `refuses a state whose browser has not come back, and lets the browser go on`() async throws {
        let request = try await scene.begin()
        let ready = BrowserWorld.Ready(code: scene.provider.code(for: request), state: request.state)
        await expectRefusal(ready)
        #expect(scene.provider.grants.isEmpty)
        try await scene.goBack(request.state, code: ready.code)
        _ = try await scene.complete(ready)
    }

    @Test(arguments: [(599.0, true), (600, false), (601, false)])
    func `finishes until the sign-in is over`(seconds: Double, isTaken: Bool) async throws {
        let ready = try await scene.visit()
        scene.world.clock.advance(by: .seconds(seconds))
        let refusal = await refusal { try await scene.complete(ready) }
        #expect(refusal == (isTaken ? nil : .authorizationRefused))
    }

    @Test func `is refused after success, and ends the session that was opened`() async throws {
        let ready = try await scene.visit()
        let tokens = try await scene.complete(ready).tokens
        let session = try #require(try await scene.world.session(of: tokens))
        await expectRefusal(ready)
        #expect(try await scene.world.session(of: tokens)?.revocation?.reason == .replayed)
        await #expect(throws: AuthError.sessionRevoked) { try await scene.world.use(tokens) }
        let event = try #require(try await scene.world.events().last)
        #expect(event.outcome == "authorization_refused")
        #expect(event.session == session.id)
        #expect(event.account == session.accountID)
    }

    @Test func `is refused after success to whoever knows the state alone, and ends nobody's session`() async throws {
        let ready = try await scene.visit()
        let tokens = try await scene.complete(ready).tokens
        await expectRefusal(BrowserWorld.Ready(code: Secret("made up"), state: ready.state))
        try await scene.world.use(tokens)
        await expectRefusal(ready)
        await #expect(throws: AuthError.sessionRevoked) { try await scene.world.use(tokens) }
    }

    @Test func `is refused after a failure, and ends nobody's session`() async throws {
        let tokens = try await scene.signIn().tokens
        let ready = try await scene.visit()
        scene.provider.fail(IdentityProviderRefusal.codeRefused)
        await expectRefusal(ready)
        scene.provider.fail(nil)
        await expectRefusal(ready)
        try await scene.world.use(tokens)
    }

    @Test func `ends no session for what was presented when the sign-in was over`() async throws {
        let ready = try await scene.visit()
        let tokens = try await scene.complete(ready).tokens
        scene.world.clock.advance(by: .seconds(601))
        await expectRefusal(ready)
        try await scene.world.use(tokens)
    }

    @Test(arguments: DeviceBinding.allCases)
    func `OA-10: is finished by the device that began, where the app binds it`(binding: DeviceBinding) async throws {
        let ready = try await scene.visit(appChallenge: binding.challenge)
        let refusal = await refusal { try await scene.complete(ready, verifier: binding.verifier) }
        #expect(refusal == (binding.isAccepted ? nil : .authorizationRefused))
        guard refusal != nil else { return }
        // A wrong verifier redeems the record: no second guess is possible, and the owner begins again.
        await #expect(throws: AuthError.authorizationRefused) {
            try await scene.complete(ready, verifier: DeviceBinding.fittingVerifier)
        }
        #expect(scene.provider.grants.isEmpty)
    }

    @Test(arguments: [
        (IdentityProviderRefusal.codeRefused, AuthError.authorizationRefused),
        (.tokenInvalid, .identityTokenInvalid), (.throttled(retryAfterSeconds: 9), .busy(retryAfterSeconds: 9)),
    ])
    func `says why the provider's answer was no good`(
        refused: IdentityProviderRefusal, expected: AuthError
    ) async throws {
        let ready = try await scene.visit()
        scene.provider.fail(refused)
        #expect(await refusal { try await scene.complete(ready) } == expected)
        #expect(scene.world.failures.reported.isEmpty)
    }

    @Test func `is unavailable while the provider is away, and signs nobody in`() async throws {
        let ready = try await scene.visit()
        scene.provider.fail(ScriptedProvider.Away())
        #expect(await refusal { try await scene.complete(ready) } == .unavailable(incident: "incident-1"))
        #expect(scene.world.failures.reported.first is ScriptedProvider.Away)
    }

    @Test(arguments: ["redeemSingleUseRecord", "accountOfUpsert", "addSession"])
    func `is unavailable while the store is away`(call: String) async throws {
        let ready = try await scene.visit()
        scene.world.store.fail(call)
        #expect(await refusal { try await scene.complete(ready) } == .unavailable(incident: "incident-1"))
    }

    @Test func `is refused at the door of another app`() async throws {
        let ready = try await scene.visit()
        let other = try World(
            "other", .timetracker, sharing: scene.world, identities: IdentitySources(providers: [scene.provider]))
        await #expect(throws: AuthError.authorizationRefused) {
            try await other.engine.perform(
                CompleteBrowserSignIn(
                    authorizationCode: ready.code, state: ready.state, redirectURI: BrowserWorld.redirectURI))
        }
        _ = try await scene.complete(ready)
    }

    @Test func `opens no session for an account that was disabled before`() async throws {
        let id = try #require(try await scene.signIn().user?.id)
        _ = try await scene.world.administration.setActive(false, id.text)
        let ready = try await scene.visit()
        await #expect(throws: AuthError.accountDisabled) { try await scene.complete(ready) }
        #expect(try await scene.world.events().last?.account == id)
        #expect(try await scene.world.administration.sessions(of: id.text).isEmpty)
    }

    @Test func `opens a session that belongs to the code, so that a replay finds it`() async throws {
        let tokens = try await scene.signIn().tokens
        let events = try await scene.world.events()
        #expect(events.last?.action == "completeBrowserSignIn")
        #expect(events.last?.session == (try await scene.world.session(of: tokens)?.id))
    }
}
