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
}

extension ResetPassword {
    /// The result of the operation if it succeeds.
    public typealias Answer = Done

    /// The description of this operation, ``OperationKind/resetPassword``.
    public static let description = OperationDescription(
        .resetPassword,
        summary: "Sets a new password and ends all sessions",
        request: FieldSet([.password], also: [.resetToken, .phoneNumber, .code]),
        unauthorized: .resetTokenRefused,
        attempts: .reset,
        device: .renewed,
        needsAppAssertion: true,
        endpoint: { $0.takesPasswords ? .post("/reset-password") : nil },
        takes: {
            $0.takesCodes
                ? [.required(.phoneNumber), .required(.code), .required(.password)]
                : [.required(.resetToken), .required(.password)]
        },
        answers: { _ in .shape(.message("Password reset successful")) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        switch proof {
        case .token(let token): fields.set(.resetToken, token)
        case .code(let code, let number):
            fields.set(.phoneNumber, number.e164)
            fields.set(.code, code.reveal())
        }
        fields.set(.password, password)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        let proof: Proof
        if let number = try fields.phoneNumber() {
            proof = .code(try required(fields.code(), .code), number)
        } else {
            proof = .token(try required(fields.secret(.resetToken), .resetToken))
        }
        self.init(proof: proof, password: try required(fields.secret(.password), .password))
    }
}
