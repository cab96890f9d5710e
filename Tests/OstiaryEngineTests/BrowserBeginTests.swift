import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

/// The URL that the browser is sent to when a sign-in begins.
@Suite struct BrowserBeginTests {
    private let scene: BrowserWorld
    init() throws { scene = try BrowserWorld() }

    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    @Test(arguments: [
        "", "https://evil.example", "javascript:alert(1)", "data:text/html,x", "timetracker:/oauth/callback",
        "timetracker:oauth/callback", "timetracker://oauth/callback/", "timetracker://oauth/callback?x=1",
        "TIMETRACKER://oauth/callback", "timetracker://oauth/callback#x", "timetracker://oauth/call\u{62}ack\u{301}",
        "timetracker://oauth/callback" + String(repeating: "a", count: 8192),
    ])
    func `refuses a redirect URI that is not registered to the byte`(uri: String) async throws {
        await #expect(throws: AuthError.redirectURIRefused) { try await scene.begin(redirectURI: uri) }
        #expect(scene.provider.requests.isEmpty)
    }

    @Test func `refuses the redirect URI before it says anything about providers`() async throws {
        let world = try World.timetracker(IdentitySources())
        await #expect(throws: AuthError.redirectURIRefused) {
            try await world.engine.perform(
                BeginBrowserSignIn(redirectURI: "evil://x", appChallenge: "bad", provider: "nobody"))
        }
    }

    @Test(arguments: [
        ("http://127.0.0.1/done", "http://127.0.0.1:49152/done", true),
        ("http://[::1]/done", "http://[::1]:49152/done", true),
        ("http://127.0.0.1/done", "http://127.0.0.1:49152/other", false),
        ("http://127.0.0.1/done", "http://127.0.0.1.evil.example/done", false),
        ("http://localhost/done", "http://localhost:49152/done", false),
        ("http://127.0.0.1:80/done", "http://127.0.0.1:81/done", false),
        ("timetracker://oauth/callback", "http://127.0.0.1:49152/done", false),
    ])
    func `lets only a registered loopback address have any port`(
        registered: String, asked: String, isTaken: Bool
    ) async throws {
        let scene = try BrowserWorld { $0.redirectURIs = RedirectURIs([registered]) }
        let refusal = await refusal { try await scene.begin(redirectURI: asked) }
        #expect(refusal == (isTaken ? nil : .redirectURIRefused))
    }

    @Test(arguments: [
        "", "plain", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM=", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-c+",
    ])
    func `refuses a challenge that cannot be one`(challenge: String) async throws {
        await #expect(throws: AuthError.invalid(.appChallenge, .malformed)) {
            try await scene.begin(appChallenge: challenge)
        }
    }

    @Test func `says that there is no provider`() async throws {
        let world = try World.timetracker(IdentitySources()) {
            $0.redirectURIs = RedirectURIs([BrowserWorld.redirectURI])
        }
        await #expect(throws: AuthError.notConfigured) {
            try await world.engine.perform(BeginBrowserSignIn(redirectURI: BrowserWorld.redirectURI))
        }
    }

    @Test func `knows no provider of another name`() async throws {
        await #expect(throws: AuthError.notFound) { try await scene.begin(provider: "google") }
    }

    @Test func `lets the person choose between several providers`() async throws {
        let scene = try BrowserWorld(others: [.named("google")])
        let url = try await scene.browser.perform(
            BeginBrowserSignIn(redirectURI: BrowserWorld.redirectURI, appChallenge: Self.challenge)
        ).url
        #expect(
            url == "https://auth.example.com/timetracker/auth/choose"
                + "?redirect_uri=timetracker%3A%2F%2Foauth%2Fcallback&app_challenge=\(Self.challenge)")
        #expect(scene.browser.providerChoices.map(\.name) == ["oidc", "google"])
    }

    @Test func `sends the browser to the provider that was chosen`() async throws {
        let google = ScriptedProvider.named("google")
        let scene = try BrowserWorld(others: [google])
        let url = try await scene.browser.perform(
            BeginBrowserSignIn(redirectURI: BrowserWorld.redirectURI, provider: "google")
        ).url
        #expect(url.hasPrefix("https://google.example.com/authorize?"))
        #expect(google.requests.count == 1)
        #expect(scene.provider.requests.isEmpty)
    }

    @Test func `needs a browser that can be told from others`() async throws {
        await #expect(throws: AuthError.malformedRequest) { try await scene.with(cookie: nil).begin() }
        #expect(scene.provider.requests.isEmpty)
    }

    @Test func `sends the provider state, nonce and challenge that nobody can guess, fresh every time`() async throws {
        let one = try await scene.begin()
        let other = try await scene.begin()
        for request in [one, other] {
            #expect(request.state.reveal().utf8.count == 43)
            #expect(request.nonce.utf8.count == 43)
            #expect(CodeChallenge.isWellFormed(request.codeChallenge))
            #expect(request.redirectURI == "https://auth.example.com/timetracker/auth/callback")
        }
        let values = [one, other].flatMap { [$0.state.reveal(), $0.nonce, $0.codeChallenge] }
        #expect(Set(values).count == 6)
    }

    @Test func `redeems the code with the verifier and the nonce of its state`() async throws {
        _ = try await scene.signIn()
        let grant = try #require(scene.provider.grants.last)
        let request = try #require(scene.provider.requests.last)
        #expect((43...128).contains(grant.codeVerifier.reveal().utf8.count))
        #expect(CodeChallenge.s256(of: grant.codeVerifier) == request.codeChallenge)
        #expect(grant.nonce == request.nonce)
        #expect(grant.redirectURI == request.redirectURI)
    }

    @Test func `is unavailable while the provider is away, and keeps nothing`() async throws {
        scene.provider.fail(ScriptedProvider.Away())
        #expect(await refusal { try await scene.begin() } == .unavailable(incident: "incident-1"))
        #expect(!scene.world.store.calls.contains("addSingleUseRecord"))
    }

    @Test func `hands on that the provider asks for patience`() async throws {
        scene.provider.fail(IdentityProviderRefusal.throttled(retryAfterSeconds: 7))
        await #expect(throws: AuthError.busy(retryAfterSeconds: 7)) { try await scene.begin() }
    }

    @Test func `is not asked more often than it may be`() async throws {
        let scene = try BrowserWorld { $0.limits.perAddress[.browser] = RateLimit(attempts: 2, perSeconds: 60) }
        for _ in 0..<2 { _ = try await scene.begin() }
        await #expect(throws: AuthError.tooManyAttempts(retryAfterSeconds: 30)) { try await scene.begin() }
    }

    @Test func `writes neither beginnings nor a flood of refusals into the audit log`() async throws {
        for _ in 0..<20 {
            _ = try await scene.begin()
            _ = await refusal { try await scene.begin(redirectURI: "evil://x") }
        }
        #expect(try await scene.world.events().map(\.outcome) == ["redirect_uri_refused"])
    }
}
