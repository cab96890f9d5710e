/// Sends password reset instructions to the address if it has an account; the answer is the same if it has none.
public struct RequestPasswordReset: AuthOperation {
    /// The address that receives the instructions.
    public var email: EmailAddress

    /// Creates the operation from its parts.
    public init(email: EmailAddress) {
        self.email = email
    }
}

extension RequestPasswordReset {
    /// The result of the operation if it succeeds.
    public typealias Answer = Done

    /// The description of this operation, ``OperationKind/requestPasswordReset``.
    public static let description = OperationDescription(
        .requestPasswordReset,
        summary: "Sends password reset instructions, if the account exists",
        request: FieldSet([.email]),
        attempts: .reset,
        needsAppAssertion: true,
        endpoint: { $0.takesPasswords && !$0.takesCodes ? .post("/forgot-password") : nil },
        takes: { _ in [.required(.email)] },
        answers: { _ in .shape(.message("Password reset instructions sent to your email")) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.email, email.text)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) { self.init(email: try required(fields.email(), .email)) }
}
