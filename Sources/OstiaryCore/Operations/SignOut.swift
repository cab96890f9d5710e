/// Revokes the session of the given tokens. For tokens that are unknown, expired or issued for another app it succeeds
/// without effect.
public struct SignOut: AuthOperation {
    /// The access token of the session; nil if only the refresh token is known.
    public var accessToken: Secret<String>?
    /// The refresh token of the session; nil if only the access token is known.
    public var refreshToken: Secret<String>?
    /// A further access token of the same account, whose session is revoked too; a token of another account is ignored.
    public var alsoEnding: Secret<String>?

    /// Creates the operation from its parts.
    public init(
        accessToken: Secret<String>? = nil, refreshToken: Secret<String>? = nil,
        alsoEnding: Secret<String>? =
            nil
    ) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.alsoEnding = alsoEnding
    }

    /// The name of this operation, ``OperationKind/signOut``.
    public static let kind = OperationKind.signOut
    /// Calls ``AuthService/signOut(_:)``.
    public func perform(by service: some AuthService) async throws(AuthError) -> Done {
        try await service.signOut(self)
    }
}
