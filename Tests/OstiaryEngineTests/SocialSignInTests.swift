import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@Suite struct SocialSignInTests {
    // MARK: Destination

    @Test func `has nothing to tell where there is no provider`() async throws {
        let engine = try World.viewvault { $0.redirectURIs = RedirectURIs(["viewvault://oauth/callback"]) }.engine
        await #expect(throws: AuthError.notConfigured) {
            try await engine.perform(GetSocialConfiguration())
        }
        await #expect(throws: AuthError.notConfigured) {
            try await engine.perform(BeginSocialSignIn(provider: "google"))
        }
        await #expect(throws: AuthError.notConfigured) {
            try await engine.perform(
                CompleteSocialSignIn(authorizationCode: Secret("x"), state: Secret("x")))
        }
    }

    @Test func `cannot begin where the app has no address to return to`() async throws {
        let scene = try BrowserWorld("viewvault", .viewvault, provider: .named("google")) {
            $0.redirectURIs = RedirectURIs([])
        }
        await #expect(throws: AuthError.notConfigured) { try await scene.beginSocial("google") }
    }

    @Test func `tells the public settings`() async throws {
        let told = SocialConfiguration(domain: "d", clientID: "c", audience: "a")
        let world = try World("viewvault", .viewvault, identities: IdentitySources(socialConfiguration: told))
        #expect(try await world.engine.perform(GetSocialConfiguration()) == told)
    }

    @Test(arguments: ["facebook", "google-oauth2", "auth0", "GOOGLE", ""])
    func `does not offer what nobody configured`(service: String) async throws {
        let scene = try BrowserWorld.auth0()
        await #expect(throws: AuthError.notFound) { try await scene.beginSocial(service) }
    }

    @Test(arguments: [("google", "google-oauth2"), ("github", "github")])
    func `sends the app to Auth0's own page, with the app's address to return to`(
        service: String, connection: String
    ) async throws {
        let scene = try BrowserWorld.auth0()
        #expect(try await scene.beginSocial(service).hasPrefix("https://auth0.example.com/authorize?"))
        let request = try #require(scene.provider.requests.last)
        #expect(request.connection == connection)
        #expect(request.redirectURI == "viewvault://oauth/callback")
    }

    @Test func `sends the app to our own page for a provider that returns to us`() async throws {
        let scene = try BrowserWorld.google()
        let url = try await scene.beginSocial("google")
        #expect(
            url.wholeMatch(of: /https:\/\/auth\.example\.com\/timetracker\/auth\/start\?id=[A-Za-z0-9_-]{43}/) != nil)
        #expect(scene.provider.requests.isEmpty)
        let request = try await scene.start(url)
        #expect(request.redirectURI == "https://auth.example.com/timetracker/auth/callback")
    }

    @Test(
        arguments: [
            "", "plain", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM=", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-c+",
        ], [true, false])
    func `refuses a challenge that cannot be one`(challenge: String, returnsToApp: Bool) async throws {
        let scene = try returnsToApp ? BrowserWorld.auth0() : .google()
        await #expect(throws: AuthError.invalid(.appChallenge, .malformed)) {
            try await scene.beginSocial("google", appChallenge: challenge)
        }
        #expect(scene.provider.requests.isEmpty && scene.world.store.singleUseRecords.isEmpty)
    }

    // MARK: Start

    @Test func `starts once`() async throws {
        let scene = try BrowserWorld.google()
        let url = try await scene.beginSocial("google")
        _ = try await scene.start(url)
        await #expect(throws: AuthError.authorizationRefused) { try await scene.start(url) }
    }

    @Test func `waits for a provider that is away for a moment`() async throws {
        let scene = try BrowserWorld.google()
        let url = try await scene.beginSocial("google")
        scene.provider.fail(ScriptedProvider.Away())
        #expect(await refusal { try await scene.start(url) } == .unavailable(incident: "incident-1"))
        scene.provider.fail(nil)
        let request = try await scene.start(url)
        try await scene.goBack(request.state, code: scene.provider.code(for: request))
    }

    @Test func `starts nothing that nobody began`() async throws {
        let scene = try BrowserWorld.google()
        await #expect(throws: AuthError.authorizationRefused) { try await scene.start("id=made-up") }
    }

    @Test func `starts only in a browser that can be told from others, and waits for one`() async throws {
        let scene = try BrowserWorld.google()
        let url = try await scene.beginSocial("google")
        await #expect(throws: AuthError.malformedRequest) { try await scene.with(cookie: nil).start(url) }
        _ = try await scene.start(url)
    }

    @Test(arguments: [(599.0, true), (600, false), (601, false)])
    func `starts until it is over`(seconds: Double, isTaken: Bool) async throws {
        let scene = try BrowserWorld.google()
        let url = try await scene.beginSocial("google")
        scene.world.clock.advance(by: .seconds(seconds))
        #expect(await refusal { try await scene.start(url) } == (isTaken ? nil : .authorizationRefused))
    }

    // MARK: Completion

    /// Begins a social sign-in and returns the parameters that the app receives at its end.
    private func ready(_ scene: BrowserWorld, appChallenge: String? = nil) async throws -> BrowserWorld.Ready {
        guard scene.provider.description.returnsToApp else {
            return try await scene.visitSocial(appChallenge: appChallenge)
        }
        _ = try await scene.beginSocial("google", appChallenge: appChallenge)
        let request = try #require(scene.provider.requests.last)
        return BrowserWorld.Ready(code: scene.provider.code(for: request), state: request.state)
    }

    @Test(arguments: [true, false])
    func `signs in with what the provider gave, once`(returnsToApp: Bool) async throws {
        let scene = try returnsToApp ? BrowserWorld.auth0() : .google()
        let ready = try await ready(scene)
        let answer = try await scene.completeSocial(ready)
        #expect(answer.user?.authProvider == (returnsToApp ? "auth0" : "google"))
        #expect(try await scene.world.use(answer.tokens) == answer.user)
        await #expect(throws: AuthError.authorizationRefused) { try await scene.completeSocial(ready) }
        #expect(try await scene.world.session(of: answer.tokens)?.revocation?.reason == .replayed)
        #expect(scene.provider.grants.count == 1)
    }

    @Test(arguments: [true, false])
    func `redeems a code once and leaves no session alive, however often at once`(returnsToApp: Bool) async throws {
        let scene = try returnsToApp ? BrowserWorld.auth0() : .google()
        let ready = try await ready(scene)
        let refusals = await inParallel(50) { _ in await refusal { try await scene.completeSocial(ready) } }
        #expect(refusals.count { $0 == nil } <= 1)
        #expect(scene.provider.grants.count == 1)
        let account = try #require(try await scene.world.administration.accounts(after: nil, limit: 100).page.first)
        #expect(try await scene.world.administration.sessions(of: account.id.text).isEmpty)
    }

    @Test(arguments: DeviceBinding.allCases, [true, false])
    func `OA-15: is finished by the device that began, where the app binds it`(
        binding: DeviceBinding, returnsToApp: Bool
    ) async throws {
        let scene = try returnsToApp ? BrowserWorld.auth0() : .google()
        let ready = try await ready(scene, appChallenge: binding.challenge)
        let refusal = await refusal { try await scene.completeSocial(ready, verifier: binding.verifier) }
        #expect(refusal == (binding.isAccepted ? nil : .authorizationRefused))
        guard refusal != nil else { return }
        // A wrong verifier redeems the record: no second guess is possible, and the owner begins again.
        await #expect(throws: AuthError.authorizationRefused) {
            try await scene.completeSocial(ready, verifier: DeviceBinding.fittingVerifier)
        }
        #expect(scene.provider.grants.isEmpty)
    }

    @Test func `refuses a code without a state`() async throws {
        let scene = try BrowserWorld.auth0()
        let ready = try await ready(scene)
        await #expect(throws: AuthError.authorizationRefused) {
            try await scene.world.engine.perform(CompleteSocialSignIn(authorizationCode: ready.code))
        }
        _ = try await scene.completeSocial(ready)
    }

    @Test(arguments: [(599.0, true), (600, false), (601, false)])
    func `finishes until the sign-in is over`(seconds: Double, isTaken: Bool) async throws {
        let scene = try BrowserWorld.auth0()
        let ready = try await ready(scene)
        scene.world.clock.advance(by: .seconds(seconds))
        #expect(await refusal { try await scene.completeSocial(ready) } == (isTaken ? nil : .authorizationRefused))
    }

    @Test func `redeems with the address the provider was given`() async throws {
        let scene = try BrowserWorld.auth0()
        _ = try await scene.completeSocial(ready(scene))
        #expect(scene.provider.grants.last?.redirectURI == "viewvault://oauth/callback")
    }

    @Test func `is not finished before its browser came back`() async throws {
        let scene = try BrowserWorld.google()
        let request = try await scene.start(scene.beginSocial("google"))
        let ready = BrowserWorld.Ready(code: scene.provider.code(for: request), state: request.state)
        await #expect(throws: AuthError.authorizationRefused) { try await scene.completeSocial(ready) }
        #expect(scene.provider.grants.isEmpty)
        try await scene.goBack(request.state, code: ready.code)
        _ = try await scene.completeSocial(ready)
    }

    @Test func `PT-18: ends the session at a replay with its code alone, where the browser does not come to us`()
        async throws
    {
        let scene = try BrowserWorld.auth0()
        let ready = try await ready(scene)
        let tokens = try await scene.completeSocial(ready).tokens
        var other = ready
        for code in ["made up", "", ready.code.reveal() + "x"] {
            other.code = Secret(code)
            await #expect(throws: AuthError.authorizationRefused) { try await scene.completeSocial(other) }
        }
        try await scene.world.use(tokens)
        await #expect(throws: AuthError.authorizationRefused) { try await scene.completeSocial(ready) }
        #expect(try await scene.world.session(of: tokens)?.revocation?.reason == .replayed)
    }

    @Test func `PT-18: ends no session at the callback, whatever comes with a known state`() async throws {
        let scene = try BrowserWorld.google()
        let ready = try await ready(scene)
        let tokens = try await scene.completeSocial(ready).tokens
        for code in ["made up", ready.code.reveal()] {
            await #expect(throws: AuthError.authorizationRefused) {
                try await scene.goBack(ready.state, code: Secret(code))
            }
        }
        try await scene.world.use(tokens)
    }

    @Test func `PT-18: keeps nothing of the code that helps a reader of the store`() async throws {
        let scene = try BrowserWorld.auth0()
        let ready = try await ready(scene)
        _ = try await scene.completeSocial(ready)
        let kept = try #require(scene.world.store.singleUseRecords.last { $0.kind == .browserCode })
        #expect(kept.payload.count == 32)
        #expect(!String(decoding: kept.payload, as: UTF8.self).contains(ready.code.reveal()))
    }

    @Test func `is not returned to our callback where it goes straight to the app`() async throws {
        let scene = try BrowserWorld.auth0()
        let ready = try await ready(scene)
        await #expect(throws: AuthError.authorizationRefused) { try await scene.goBack(ready.state, code: ready.code) }
        _ = try await scene.completeSocial(ready)
    }

    @Test func `does not finish a sign-in of the other kind`() async throws {
        let scene = try BrowserWorld(provider: .named("google"))
        let browser = try await scene.visit()
        await #expect(throws: AuthError.authorizationRefused) { try await scene.completeSocial(browser) }
        let social = try await scene.visitSocial()
        await #expect(throws: AuthError.authorizationRefused) { try await scene.complete(social) }
        let direct = try BrowserWorld.auth0()
        let auth0 = try await ready(direct)
        await #expect(throws: AuthError.authorizationRefused) {
            try await direct.complete(auth0, redirectURI: "viewvault://oauth/callback")
        }
        #expect(scene.provider.grants.isEmpty)
        #expect(direct.provider.grants.isEmpty)
    }
}
