/// Exchanges a refresh token for a fresh access token and the session's next refresh token.
///
/// Throws ``AuthError/refreshTokenInvalid``, ``AuthError/refreshTokenReused``, ``AuthError/refreshTokenExpired``,
/// ``AuthError/refreshTokenRevoked`` or ``AuthError/accountDisabled``: the session is over.
public struct Refresh: AuthOperation {
    public var refreshToken: Secret<String>

    public init(refreshToken: Secret<String>) {
        self.refreshToken = refreshToken
    }

    public static let kind = OperationKind.refresh
    public func perform(by service: some AuthService) async throws(AuthError) -> Tokens {
        try await service.refresh(self)
    }
}
