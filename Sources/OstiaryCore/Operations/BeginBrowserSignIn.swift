/// Begins a sign-in in the browser, with the backend in front of the identity provider.
///
/// Throws ``AuthError/redirectURIRefused`` for a redirect URI that is not registered, to the byte.
public struct BeginBrowserSignIn: AuthOperation {
    public var redirectURI: String
    /// The S256 challenge of a verifier that only this device knows. Source: RFC 7636 §4.2.
    public var appChallenge: String?
    /// Which of the app's identity providers; nil lets the person choose where there are several.
    public var provider: String?

    public init(redirectURI: String, appChallenge: String? = nil, provider: String? = nil) {
        self.redirectURI = redirectURI
        self.appChallenge = appChallenge
        self.provider = provider
    }

    /// The most bytes of a ``redirectURI``.
    public static let maximumRedirectURIBytes = 2048

    public static let kind = OperationKind.beginBrowserSignIn
    public func perform(by service: some AuthService) async throws(AuthError) -> BrowserDestination {
        try await service.beginBrowserSignIn(self)
    }
}

/// Where to send the browser.
public struct BrowserDestination: Hashable, Sendable {
    public var url: String

    public init(url: String) { self.url = url }
}
