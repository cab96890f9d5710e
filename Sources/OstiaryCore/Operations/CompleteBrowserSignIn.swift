/// Exchanges what the browser brought back for a session.
///
/// Throws ``AuthError/authorizationRefused`` for a code or state that is wrong, expired or spent.
public struct CompleteBrowserSignIn: AuthOperation {
    public var authorizationCode: Secret<String>
    public var state: Secret<String>
    public var redirectURI: String
    public var appVerifier: Secret<String>?

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

    public static let kind = OperationKind.completeBrowserSignIn
    public func perform(by service: some AuthService) async throws(AuthError) -> SignedIn {
        try await service.completeBrowserSignIn(self)
    }
}
