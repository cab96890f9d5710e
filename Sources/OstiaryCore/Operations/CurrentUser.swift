/// Tells who the access token belongs to.
///
/// Throws ``AuthError/invalidAccessToken``, ``AuthError/sessionRevoked`` or ``AuthError/accountDisabled``.
public struct CurrentUser: AuthOperation {
    public var accessToken: Secret<String>

    public init(accessToken: Secret<String>) {
        self.accessToken = accessToken
    }

    public static let kind = OperationKind.currentUser
    public func perform(by service: some AuthService) async throws(AuthError) -> User {
        try await service.currentUser(self)
    }
}
