/// Exchanges the authorization code that the browser returned from a social identity provider for a session.
///
/// Throws ``AuthError/authorizationRefused`` or ``AuthError/identityTokenInvalid``.
public struct CompleteSocialSignIn: AuthOperation {
    /// The `code` parameter of the redirect.
    public var authorizationCode: Secret<String>
    /// The `state` parameter of the redirect; nil if the contract has no field for it.
    public var state: Secret<String>?

    /// Creates the operation from its parts.
    public init(authorizationCode: Secret<String>, state: Secret<String>? = nil) {
        self.authorizationCode = authorizationCode
        self.state = state
    }

    /// The name of this operation, ``OperationKind/completeSocialSignIn``.
    public static let kind = OperationKind.completeSocialSignIn
    /// Calls ``AuthService/completeSocialSignIn(_:)``.
    public func perform(by service: some AuthService) async throws(AuthError) -> SignedIn {
        try await service.completeSocialSignIn(self)
    }
}
