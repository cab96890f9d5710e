import Foundation
import OstiaryCore

extension BeginBrowserSignIn: EngineOperation {
    var handler: BeginBrowserSignInHandler { BeginBrowserSignInHandler(call: self) }
}

/// Redirects the browser to the identity provider, or to the choice between several.
struct BeginBrowserSignInHandler: OperationHandler {
    let call: BeginBrowserSignIn
    static let action = BeginBrowserSignIn.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<BrowserDestination> {
        // Checked first: until the redirect URI is known to be the app's, not even a refusal may redirect to it.
        guard engine.app.redirectURIs.contains(call.redirectURI) else { throw AuthError.redirectURIRefused }
        try BrowserFlow.checkForm(ofChallenge: call.appChallenge)
        guard let provider = try chosen(from: engine.ports.identities) else {
            return Outcome(BrowserDestination(url: try choice(in: engine)))
        }
        guard let browser = engine.caller.browser else { throw AuthError.malformedRequest }
        var flow = BrowserFlow(
            purpose: .browser, provider: provider.description.name, redirectURI: call.redirectURI,
            callbackURL: try engine.callbackURL(of: provider), appChallenge: call.appChallenge)
        flow.browserHash = engine.hash(browser: browser)
        return Outcome(try await engine.sendToProvider(provider, flow))
    }

    /// Returns the provider of the request, or the only one.
    ///
    /// - Returns: `nil` if the person has to choose.
    private func chosen(from identities: IdentitySources) throws(AuthError) -> (any IdentityProvider)? {
        guard let first = identities.providers.first else { throw .notConfigured }
        guard let name = call.provider else { return identities.providers.count == 1 ? first : nil }
        guard let provider = identities.provider(named: name) else { throw .notFound }
        return provider
    }

    private func choice(in engine: AuthEngine) throws -> String {
        var query = [(name: "redirect_uri", value: call.redirectURI)]
        if let challenge = call.appChallenge { query.append((name: "app_challenge", value: challenge)) }
        return URLQuery.append(query, to: try engine.browserPage("choose"))
    }
}

/// Continues a social sign-in when its browser opens the address, and binds it to that browser.
struct BrowserStartHandler: OperationHandler {
    let id: Secret<String>
    static let action = OperationKind.beginBrowserSignIn
    static let name = "startBrowser"
    static let auditing = Auditing.refusals
    var attempts: Attempts { Attempts(kind: .browser, identifier: nil) }

    func perform(in engine: AuthEngine) async throws -> Outcome<BrowserDestination> {
        guard let browser = engine.caller.browser else { throw AuthError.malformedRequest }
        let (store, hash, app) = (engine.ports.store, engine.recordHash(id), engine.app.name)
        let began = try await store.singleUseRecord(.browserStart, hash, in: app, at: engine.ports.system.now())
        guard let began else { throw AuthError.authorizationRefused }
        var flow = try BrowserFlow(began)
        guard let provider = engine.ports.identities.provider(named: flow.provider) else {
            throw AuthError.authorizationRefused
        }
        flow.callbackURL = try engine.callbackURL(of: provider)
        flow.browserHash = engine.hash(browser: browser)
        // Called before the record is redeemed: a provider that is briefly unavailable does not invalidate the sign-in.
        let (url, record) = try await engine.authorizationRequest(provider, for: flow)
        let spending = try await store.spend(
            .browserStart, hash, in: app, at: engine.ports.system.now(), for: nil, keeping: record)
        guard case .spent = spending else { throw AuthError.authorizationRefused }
        return Outcome(BrowserDestination(url: url))
    }
}
