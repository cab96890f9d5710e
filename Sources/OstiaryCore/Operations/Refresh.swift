/// Exchanges a refresh token for a new access token and the session's next refresh token.
///
/// Throws ``AuthError/refreshTokenInvalid``, ``AuthError/refreshTokenReused``, ``AuthError/refreshTokenExpired``,
/// ``AuthError/refreshTokenRevoked`` or ``AuthError/accountDisabled``; after each of them the session has ended.
public struct Refresh: AuthOperation {
    /// The refresh token to exchange.
    public var refreshToken: Secret<String>

    /// Creates the operation from its parts.
    public init(refreshToken: Secret<String>) {
        self.refreshToken = refreshToken
    }

    /// The name of this operation, ``OperationKind/refresh``.
    public static let kind = OperationKind.refresh
    /// Calls ``AuthService/refresh(_:)``.
    public func perform(by service: some AuthService) async throws(AuthError) -> Tokens {
        try await service.refresh(self)
    }
}
