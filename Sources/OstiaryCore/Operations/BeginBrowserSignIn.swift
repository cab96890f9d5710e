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

    /// The name of this operation, ``OperationKind/beginBrowserSignIn``.
    public static let kind = OperationKind.beginBrowserSignIn
    /// Calls ``AuthService/beginBrowserSignIn(_:)``.
    public func perform(by service: some AuthService) async throws(AuthError) -> BrowserDestination {
        try await service.beginBrowserSignIn(self)
    }
}

/// The URL to open in the browser.
public struct BrowserDestination: Hashable, Sendable {
    /// The absolute URL, as text.
    public var url: String

    /// Creates a destination from its URL.
    public init(url: String) { self.url = url }
}
