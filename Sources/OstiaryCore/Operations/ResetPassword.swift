/// Sets a new password for a person who proves to own the account, and ends all its sessions.
///
/// Throws ``AuthError/resetTokenRefused`` or ``AuthError/codeRefused``, and ``AuthError/invalid(_:_:)`` for a password
/// that is not acceptable.
public struct ResetPassword: AuthOperation {
    public var proof: Proof
    public var password: Secret<String>

    /// What shows that the account is theirs.
    public enum Proof: Hashable, Sendable {
        /// The token that was mailed.
        case token(Secret<String>)
        /// The one-time code that was sent to the account's phone number.
        case code(OneTimeCode, PhoneNumber)
    }

    public init(proof: Proof, password: Secret<String>) {
        self.proof = proof
        self.password = password
    }

    public static let kind = OperationKind.resetPassword
    public func perform(by service: some AuthService) async throws(AuthError) -> Done {
        try await service.resetPassword(self)
    }
}
