import Foundation
import OstiaryCore
import OstiaryEngine

/// An app, an identity provider, and the browser of a person who signs in.
struct BrowserWorld: Sendable {
    let world: World
    let provider: ScriptedProvider
    /// The value of this server's cookie.
    var cookie: String? = "browser-one"

    static let redirectURI = "timetracker://oauth/callback"
    static let base = "https://auth.example.com/timetracker"

    init(
        _ name: String = "timetracker", _ rules: AppRules = .timetracker,
        provider: ScriptedProvider = .named("oidc", issuer: "https://idp.example.com"),
        others: [ScriptedProvider] = [], credentialProvider: ScriptedCredentialProvider? = nil, seed: UInt64 = 1,
        sharing other: World? = nil, hooks: Hooks = Hooks(), _ change: (inout AppSettings) -> Void = { _ in }
    ) throws {
        self.provider = provider
        let sources = IdentitySources(providers: [provider] + others, credentialProvider: credentialProvider)
        world = try World(name, rules, seed: seed, sharing: other, identities: sources, hooks: hooks) { app in
            app.redirectURIs = RedirectURIs([Self.redirectURI])
            app.pathPrefix = "/auth"
            app.limits = .generous
            change(&app)
        }
    }

    /// Creates a viewvault with Auth0 as its provider, which redirects the browser straight to the app.
    static func auth0() throws -> BrowserWorld {
        try BrowserWorld("viewvault", .viewvault, provider: ScriptedProvider(ScriptedProvider.auth0Description)) {
            $0.redirectURIs = RedirectURIs(["viewvault://oauth/callback"])
        }
    }

    /// Creates a viewvault with Google as its provider, which redirects the browser to this server's callback.
    static func google() throws -> BrowserWorld {
        try BrowserWorld("viewvault", .viewvault, provider: .named("google")) {
            $0.redirectURIs = RedirectURIs(["viewvault://oauth/callback"])
        }
    }

    /// The engine, for a request from the browser.
    var browser: AuthEngine {
        world.engine.serving(
            Caller(network: "192.0.2.1", browser: cookie.map { Secret($0) }, baseURL: Self.base))
    }

    /// Returns the same app and provider with another browser.
    func with(cookie: String?) -> BrowserWorld {
        var other = self
        other.cookie = cookie
        return other
    }

    // MARK: Steps of a sign-in

    /// Sends the browser to the provider.
    func begin(
        appChallenge: String? = nil, provider: String? = nil, redirectURI: String = redirectURI
    ) async throws -> AuthorizationRequest {
        _ = try await browser.perform(
            BeginBrowserSignIn(redirectURI: redirectURI, appChallenge: appChallenge, provider: provider))
        guard let request = self.provider.requests.last else { throw World.NothingCame() }
        return request
    }

    /// Brings the browser back to a redirect URI of the server.
    ///
    /// - Parameter redirectURI: `nil` for that of the request with this state.
    @discardableResult
    func goBack(
        _ state: Secret<String>, at redirectURI: String? = nil, code: Secret<String>? = nil, error: String? = nil,
        issuer: String? = nil, name: PersonName? = nil
    ) async throws -> String {
        let requested = provider.requests.last { $0.state == state }?.redirectURI
        return try await browser.returnFromProvider(
            ProviderReturn(
                redirectURI: redirectURI ?? requested ?? "\(Self.base)/auth/callback", state: state,
                authorizationCode: code, error: error, issuer: issuer, fullName: name)
        ).url
    }

    /// Sends the browser to the provider, signs in there and returns.
    func visit(as person: ProviderIdentity = .ada, appChallenge: String? = nil) async throws -> Ready {
        let request = try await begin(appChallenge: appChallenge)
        let code = provider.code(for: request, as: person)
        try await goBack(request.state, code: code)
        return Ready(code: code, state: request.state)
    }

    /// The parameters that the app received.
    struct Ready: Sendable {
        var code: Secret<String>
        var state: Secret<String>
    }

    func complete(
        _ ready: Ready, redirectURI: String = redirectURI, verifier: String? = nil
    ) async throws -> SignedIn {
        try await world.engine.perform(
            CompleteBrowserSignIn(
                authorizationCode: ready.code, state: ready.state, redirectURI: redirectURI,
                appVerifier: verifier.map { Secret($0) }))
    }

    func signIn(as person: ProviderIdentity = .ada) async throws -> SignedIn {
        try await complete(visit(as: person))
    }

    // MARK: Social

    /// Begins a social sign-in and returns the URL for the browser.
    func beginSocial(_ service: String, appChallenge: String? = nil) async throws -> String {
        try await browser.perform(BeginSocialSignIn(provider: service, appChallenge: appChallenge)).url
    }

    /// Sends the browser to the provider, signs in there and returns, for a provider that redirects to this server's
    /// callback.
    func visitSocial(
        _ service: String = "google", as person: ProviderIdentity = .ada, appChallenge: String? = nil
    ) async throws -> Ready {
        let request = try await start(beginSocial(service, appChallenge: appChallenge))
        let code = provider.code(for: request, as: person)
        try await goBack(request.state, code: code)
        return Ready(code: code, state: request.state)
    }

    /// Opens the URL that the app received, and returns the request that the provider receives.
    func start(_ url: String) async throws -> AuthorizationRequest {
        let id = url.split(separator: "=").last.map { String($0) } ?? ""
        _ = try await browser.startBrowser(id: Secret(id))
        guard let request = provider.requests.last else { throw World.NothingCame() }
        return request
    }

    func completeSocial(_ ready: Ready, verifier: String? = nil) async throws -> SignedIn {
        try await world.engine.perform(
            CompleteSocialSignIn(
                authorizationCode: ready.code, state: ready.state, appVerifier: verifier.map { Secret($0) }))
    }
}
