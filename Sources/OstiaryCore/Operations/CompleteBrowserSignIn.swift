/// Exchanges the authorization code and state that the browser returned for a session.
///
/// Throws ``AuthError/authorizationRefused`` for a code or state that is wrong, expired or already used.
public struct CompleteBrowserSignIn: AuthOperation {
    /// The `code` parameter of the redirect.
    public var authorizationCode: Secret<String>
    /// The `state` parameter of the redirect.
    public var state: Secret<String>
    /// The redirect URI of the ``BeginBrowserSignIn``, byte for byte.
    public var redirectURI: String
    /// The verifier of ``BeginBrowserSignIn/appChallenge``; nil if the sign-in began without a challenge. Source:
    /// RFC 7636 §4.1.
    public var appVerifier: Secret<String>?

    /// Creates the operation from its parts.
    public init(
        authorizationCode: Secret<String>, state: Secret<String>, redirectURI: String,
        appVerifier:
            Secret<String>? = nil
    ) {
        self.authorizationCode = authorizationCode
        self.state = state
        self.redirectURI = redirectURI
        self.appVerifier = appVerifier
    }

    /// The name of this operation, ``OperationKind/completeBrowserSignIn``.
    public static let kind = OperationKind.completeBrowserSignIn
    /// Calls ``AuthService/completeBrowserSignIn(_:)``.
    public func perform(by service: some AuthService) async throws(AuthError) -> SignedIn {
        try await service.completeBrowserSignIn(self)
    }
}
