import OstiaryCore
import OstiaryEngine
import Testing

/// The redirect URIs of an app with several providers, one of which is malicious. Source: RFC 9700 §4.4.
@Suite struct ProviderMixUpTests {
    private static let base = "\(BrowserWorld.base)/auth"

    private let honest = ScriptedProvider.named("honest")
    private let malicious = ScriptedProvider.named("malicious")
    private let honestScene: BrowserWorld
    /// The same app, with requests that the malicious provider receives.
    private let maliciousScene: BrowserWorld

    init() throws {
        honestScene = try BrowserWorld(provider: honest, others: [malicious])
        maliciousScene = try BrowserWorld(
            provider: malicious, others: [honest], seed: 2, sharing: honestScene.world)
    }

    @Test func `OA-22 passes no code of one provider on to another one`() async throws {
        let attacker = try await honestScene.with(cookie: "attacker").begin(provider: "honest")
        let victim = try await maliciousScene.begin(provider: "malicious")
        // The malicious provider redirects the victim to the honest one, with the challenge and the nonce of the attacker.
        var request = attacker
        request.state = victim.state
        let code = honest.code(for: request)
        await #expect(throws: AuthError.authorizationRefused) {
            try await maliciousScene.goBack(request.state, at: request.redirectURI, code: code)
        }
        await #expect(throws: AuthError.authorizationRefused) {
            try await maliciousScene.complete(BrowserWorld.Ready(code: code, state: request.state))
        }
        #expect(malicious.grants.isEmpty)
    }

    @Test(arguments: ["callback", "providers/malicious/callback", "providers/honest/callback/", ""])
    func `refuses an answer at another redirect URI than that of its request, and burns the state`(path: String)
        async throws
    {
        let request = try await honestScene.begin(provider: "honest")
        let code = honest.code(for: request)
        await #expect(throws: AuthError.authorizationRefused) {
            try await honestScene.goBack(request.state, at: "\(Self.base)/\(path)", code: code)
        }
        await #expect(throws: AuthError.authorizationRefused) {
            try await honestScene.goBack(request.state, code: code)
        }
    }

    @Test func `passes no error of one provider on for another one`() async throws {
        let request = try await honestScene.begin(provider: "honest")
        await #expect(throws: AuthError.authorizationRefused) {
            try await honestScene.goBack(
                request.state, at: "\(Self.base)/providers/malicious/callback", error: "access_denied")
        }
    }

    @Test func `gives each of several providers a redirect URI of its own`() async throws {
        let one = try await honestScene.begin(provider: "honest")
        let other = try await maliciousScene.begin(provider: "malicious")
        #expect(one.redirectURI == "\(Self.base)/providers/honest/callback")
        #expect(other.redirectURI == "\(Self.base)/providers/malicious/callback")
        let code = honest.code(for: one)
        try await honestScene.goBack(one.state, code: code)
        _ = try await honestScene.complete(BrowserWorld.Ready(code: code, state: one.state))
        #expect(honest.grants.last?.redirectURI == one.redirectURI)
    }

    @Test func `gives each of several providers of social sign-ins a redirect URI of its own`() async throws {
        let google = ScriptedProvider.named("google")
        let scene = try BrowserWorld("viewvault", .viewvault, provider: google, others: [.named("github")])
        let request = try await scene.start(scene.beginSocial("google"))
        #expect(request.redirectURI == "\(Self.base)/providers/google/callback")
        await #expect(throws: AuthError.authorizationRefused) {
            try await scene.goBack(
                request.state, at: "\(Self.base)/providers/github/callback", code: google.code(for: request))
        }
        _ = try await scene.completeSocial(scene.visitSocial())
    }

    @Test func `takes an answer at the redirect URI of before another provider was added`() async throws {
        let before = try BrowserWorld(provider: honest, seed: 2, sharing: honestScene.world)
        let request = try await before.begin()
        #expect(request.redirectURI == "\(Self.base)/callback")
        let code = honest.code(for: request)
        try await honestScene.goBack(request.state, at: request.redirectURI, code: code)
        _ = try await honestScene.complete(BrowserWorld.Ready(code: code, state: request.state))
    }
}
