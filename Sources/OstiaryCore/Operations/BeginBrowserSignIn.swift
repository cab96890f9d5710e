/// Begins a sign-in in the browser, in which the backend acts as the identity provider's client.
///
/// Throws ``AuthError/redirectURIRefused`` unless the redirect URI equals a registered one byte for byte (except for
/// the port of a loopback address registered without one, RFC 8252 §7.3), ``AuthError/invalid(_:_:)`` for a malformed
/// challenge, ``AuthError/notFound`` for a provider that the app does not offer, and ``AuthError/notConfigured`` if it
/// offers none.
public struct BeginBrowserSignIn: AuthOperation {
    /// The URI to which the browser returns after the sign-in.
    public var redirectURI: String
    /// The S256 challenge of a verifier that only this device knows. Source: RFC 7636 §4.2.
    public var appChallenge: String?
    /// The name of the identity provider; nil lets the user choose if the app has several.
    public var provider: String?

    /// Creates the operation from its parts.
    public init(redirectURI: String, appChallenge: String? = nil, provider: String? = nil) {
        self.redirectURI = redirectURI
        self.appChallenge = appChallenge
        self.provider = provider
    }

    /// The maximum length of a ``redirectURI``, in UTF-8 bytes.
    public static let maximumRedirectURIBytes = 2048
}

extension BeginBrowserSignIn {
    /// The result of the operation if it succeeds.
    public typealias Answer = BrowserDestination

    /// The description of this operation, ``OperationKind/beginBrowserSignIn``.
    public static let description = OperationDescription(
        .beginBrowserSignIn,
        summary: "Redirects the browser to the identity provider",
        request: FieldSet([.redirectUri], also: [.appChallenge, .provider]),
        answer: FieldSet([.oauthUrl]),
        refusals: [404],
        attempts: .browser,
        auditing: .refusals,
        endpoint: { $0.takesPasswords ? nil : .get("/login") },
        takes: { _ in [.required(.redirectUri), .optional(.appChallenge), .optional(.provider)] },
        answers: { _ in .shape(.redirect) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.redirectUri, redirectURI)
        fields.set(.appChallenge, appChallenge)
        fields.set(.provider, provider)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            redirectURI: try required(fields.text(.redirectUri), .redirectUri),
            appChallenge: try fields.text(.appChallenge),
            provider: try fields.text(.provider))
    }
}

/// The URL to open in the browser.
public struct BrowserDestination: Hashable, Sendable {
    /// The absolute URL, as text.
    public var url: String

    /// Creates a destination from its URL.
    public init(url: String) { self.url = url }
}

extension BrowserDestination: OperationAnswer {
    /// The URL, both as `location` and as `oauthUrl`; the contract selects one.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.location, url)
        fields.set(.oauthUrl, url)
        return fields
    }

    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        let location = try fields.text(.location)
        let url = if let location { location } else { try fields.text(.oauthUrl) }
        self.init(url: try required(url, .oauthUrl))
    }
}
