/// Sets a new password for a user who proves ownership of the account, and revokes all its sessions.
///
/// Throws ``AuthError/resetTokenRefused`` or ``AuthError/codeRefused``, and ``AuthError/invalid(_:_:)`` for a password
/// that is not acceptable.
public struct ResetPassword: AuthOperation {
    /// The proof of ownership.
    public var proof: Proof
    /// The new password, in plain text.
    public var password: Secret<String>

    /// The proof that the caller owns the account.
    public enum Proof: Hashable, Sendable {
        /// The reset token from the email message.
        case token(Secret<String>)
        /// The one-time code that was sent to the account's phone number, and that number.
        case code(OneTimeCode, PhoneNumber)
    }

    /// Creates the operation from its parts.
    public init(proof: Proof, password: Secret<String>) {
        self.proof = proof
        self.password = password
    }

    /// The name of this operation, ``OperationKind/resetPassword``.
    public static let kind = OperationKind.resetPassword
    /// Calls ``AuthService/resetPassword(_:)``.
    public func perform(by service: some AuthService) async throws(AuthError) -> Done {
        try await service.resetPassword(self)
    }
}
