import Foundation
public import OstiaryCore

/// The parameters of a provider's response to this server's callback. Source: RFC 6749 §4.1.2, RFC 9207 §2.
public struct ProviderReturn: Hashable, Sendable {
    /// The URI of this server that the browser was redirected to, without the query.
    public var redirectURI: String
    /// `state`
    public var state: Secret<String>
    /// `code`
    public var authorizationCode: Secret<String>?
    /// `error`; takes precedence over a code.
    public var error: String?
    /// `iss`
    public var issuer: String?
    /// The name that Apple sends once, beside its ID token and unsigned: suitable for display only.
    public var fullName: PersonName?

    /// Creates a response from its parts.
    public init(
        redirectURI: String, state: Secret<String>, authorizationCode: Secret<String>? = nil, error: String? = nil,
        issuer: String? = nil, fullName: PersonName? = nil
    ) {
        self.redirectURI = redirectURI
        self.state = state
        self.authorizationCode = authorizationCode
        self.error = error
        self.issuer = issuer
        self.fullName = fullName
    }
}

/// Takes the browser from the provider and redirects it to the app.
struct ProviderReturnHandler: OperationHandler {
    let call: ProviderReturn
    static let action = OperationKind.completeBrowserSignIn
    static let name = "returnFromProvider"
    static let auditing = Auditing.refusals
    var attempts: Attempts { Attempts(kind: .browser, identifier: nil) }

    func perform(in engine: AuthEngine) async throws -> Outcome<BrowserDestination> {
        let (store, now) = (engine.ports.store, engine.ports.system.now())
        let hash = engine.recordHash(call.state)
        guard let record = try await store.singleUseRecord(.browserSignIn, hash, in: engine.app.name, at: now) else {
            throw AuthError.authorizationRefused
        }
        var flow = try BrowserFlow(record)
        // Another browser does not redeem the record: a state appears in URLs, histories and the provider's logs, and
        // an attacker who reads it there must not be able to break a sign-in that they cannot complete.
        guard let browser = engine.caller.browser, let expected = flow.browserHash,
            constantTimeEqual(Array(engine.hash(browser: browser)), Array(expected))
        else { throw AuthError.authorizationRefused }

        let isFromProvider = await isFromProvider(of: flow, in: engine)
        var code: Secret<String>?
        if isFromProvider, call.error == nil, let given = call.authorizationCode {
            code = given
            flow.codeHash = engine.hash(authorizationCode: given)
            flow.newName = call.fullName?.text
        }
        let successor = try code.map { _ in
            try flow.singleUseRecord(.browserReturn, hash, in: engine.app.name, until: record.expiresAt)
        }
        let spending = try await store.spend(
            .browserSignIn, hash, in: engine.app.name, at: now, for: nil, keeping: successor)
        guard case .spent = spending, isFromProvider else { throw AuthError.authorizationRefused }
        let state = (name: "state", value: call.state.reveal())
        if let code {
            let query = [(name: "code", value: code.reveal()), state]
            return Outcome(BrowserDestination(url: URLQuery.append(query, to: flow.redirectURI)))
        }
        guard let error = call.error else { throw AuthError.authorizationRefused }
        let query = [(name: "error", value: Self.code(error)), state]
        return Outcome(BrowserDestination(url: URLQuery.append(query, to: flow.redirectURI)))
    }

    /// Returns `true` unless the response is known to be another provider's, by its redirect URI or by its issuer. Such a
    /// response must not reach this provider's token endpoint, which would disclose its code (mix-up attack). Nor does
    /// its error belong to this sign-in.
    ///
    /// Source: RFC 9207 §2.4, RFC 9700 §4.4.2.
    private func isFromProvider(of flow: BrowserFlow, in engine: AuthEngine) async -> Bool {
        guard call.redirectURI.utf8.elementsEqual(flow.callbackURL.utf8),
            let provider = engine.ports.identities.provider(named: flow.provider)
        else { return false }
        guard let issuer = call.issuer else {
            // A provider that is unavailable now cannot redeem a code either, so there is no reason to refuse here.
            return (try? await provider.namesIssuer()) != true
        }
        guard let expected = provider.description.issuer else { return true }
        return issuer.utf8.elementsEqual(expected.utf8)
    }

    /// The error codes that are passed on to the app; all others are internal to the provider.
    ///
    /// Source: RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6.
    private static let errorCodes = [
        "invalid_request", "unauthorized_client", "access_denied", "unsupported_response_type", "invalid_scope",
        "server_error", "temporarily_unavailable",
        "interaction_required", "login_required", "account_selection_required", "consent_required",
        "invalid_request_uri", "invalid_request_object", "request_not_supported", "request_uri_not_supported",
        "registration_not_supported",
    ]

    /// Returns the provider's error code if it is a standard one, otherwise `server_error`. Compared byte for byte.
    private static func code(_ error: String) -> String {
        errorCodes.first { $0.utf8.elementsEqual(error.utf8) } ?? "server_error"
    }
}
