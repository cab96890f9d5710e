/// Replaces the password of a signed-in user and revokes the account's other sessions. The current session continues
/// with the tokens of the answer: its earlier refresh tokens are rejected from then on.
///
/// Throws ``AuthError/wrongCredentials`` if the current password is wrong, and ``AuthError/invalid(_:_:)`` for a new
/// password that is not acceptable.
public struct ChangePassword: AuthOperation {
    /// The access token of the session.
    public var accessToken: Secret<String>
    /// The account's present password.
    public var currentPassword: Secret<String>
    /// The password that replaces it.
    public var newPassword: Secret<String>

    /// Creates the operation from its parts.
    public init(accessToken: Secret<String>, currentPassword: Secret<String>, newPassword: Secret<String>) {
        self.accessToken = accessToken
        self.currentPassword = currentPassword
        self.newPassword = newPassword
    }

    /// The name of this operation, ``OperationKind/changePassword``.
    public static let kind = OperationKind.changePassword
    /// Calls ``AuthService/changePassword(_:)``.
    public func perform(by service: some AuthService) async throws(AuthError) -> PasswordChanged {
        try await service.changePassword(self)
    }
}

/// The result of a password change.
public struct PasswordChanged: Hashable, Sendable {
    /// The tokens with which the session continues; nil if the contract's answer has no field for them, in which case
    /// the session's present tokens stay valid.
    public var tokens: Tokens?

    /// Creates a result from its parts.
    public init(tokens: Tokens? = nil) { self.tokens = tokens }
}
