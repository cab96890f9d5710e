/// Returns the user that the access token belongs to.
///
/// Throws ``AuthError/invalidAccessToken``, ``AuthError/sessionRevoked`` or ``AuthError/accountDisabled``.
public struct CurrentUser: AuthOperation {
    /// The access token of the session.
    public var accessToken: Secret<String>

    /// Creates the operation from its parts.
    public init(accessToken: Secret<String>) {
        self.accessToken = accessToken
    }

    /// The name of this operation, ``OperationKind/currentUser``.
    public static let kind = OperationKind.currentUser
    /// Calls ``AuthService/currentUser(_:)``.
    public func perform(by service: some AuthService) async throws(AuthError) -> User {
        try await service.currentUser(self)
    }
}
