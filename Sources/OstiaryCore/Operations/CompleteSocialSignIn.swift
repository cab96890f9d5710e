/// Exchanges what the browser brought back from a social identity provider for a session.
///
/// Throws ``AuthError/authorizationRefused`` or ``AuthError/identityTokenInvalid``.
public struct CompleteSocialSignIn: AuthOperation {
    public var authorizationCode: Secret<String>
    public var state: Secret<String>?

    public init(authorizationCode: Secret<String>, state: Secret<String>? = nil) {
        self.authorizationCode = authorizationCode
        self.state = state
    }

    public static let kind = OperationKind.completeSocialSignIn
    public func perform(by service: some AuthService) async throws(AuthError) -> SignedIn {
        try await service.completeSocialSignIn(self)
    }
}
