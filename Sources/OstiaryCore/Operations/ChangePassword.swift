/// Replaces the password of a signed-in person and ends the account's other sessions. This one goes on with the tokens of
/// the answer: its earlier refresh tokens are refused from then on.
///
/// Throws ``AuthError/wrongCredentials`` if the current password is wrong.
public struct ChangePassword: AuthOperation {
    public var accessToken: Secret<String>
    public var currentPassword: Secret<String>
    public var newPassword: Secret<String>

    public init(accessToken: Secret<String>, currentPassword: Secret<String>, newPassword: Secret<String>) {
        self.accessToken = accessToken
        self.currentPassword = currentPassword
        self.newPassword = newPassword
    }

    public static let kind = OperationKind.changePassword
    public func perform(by service: some AuthService) async throws(AuthError) -> PasswordChanged {
        try await service.changePassword(self)
    }
}

/// The outcome of a change of password.
public struct PasswordChanged: Hashable, Sendable {
    /// The tokens with which the session goes on; nil where the contract's answer has no place for them, and those that the
    /// session has stay valid.
    public var tokens: Tokens?

    public init(tokens: Tokens? = nil) { self.tokens = tokens }
}
