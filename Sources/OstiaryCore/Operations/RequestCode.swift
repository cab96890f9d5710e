/// Sends a one-time code to a phone number, regardless of whether an account has it.
///
/// Throws ``AuthError/tooManyAttempts(retryAfterSeconds:)`` until the cooldown has passed.
public struct RequestCode: AuthOperation {
    /// The number that receives the code.
    public var phoneNumber: PhoneNumber

    /// Creates the operation from its parts.
    public init(phoneNumber: PhoneNumber) {
        self.phoneNumber = phoneNumber
    }
}

extension RequestCode {
    /// The result of the operation if it succeeds.
    public typealias Answer = CodeRequested

    /// The description of this operation, ``OperationKind/requestCode``.
    public static let description = OperationDescription(
        .requestCode,
        summary: "Sends a one-time code to a phone number",
        request: FieldSet([.phoneNumber]),
        answer: FieldSet([.codeSession]),
        unauthorized: .codeRefused,
        attempts: .codeRequest,
        needsAppAssertion: true,
        endpoint: { $0.takesCodes ? .post("/send-code") : nil },
        takes: { _ in [.required(.phoneNumber)] },
        answers: { _ in .shape(.fields([.required(.codeSession)])) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.phoneNumber, phoneNumber.e164)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(phoneNumber: try required(fields.phoneNumber(), .phoneNumber))
    }
}

/// The result of ``RequestCode``.
public struct CodeRequested: Hashable, Sendable {
    /// The identifier of this request, which ``VerifyCode`` refers to.
    public var codeSession: String

    /// Creates a result from its parts.
    public init(codeSession: String) { self.codeSession = codeSession }
}

extension CodeRequested: OperationAnswer {
    /// The answer's content by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.codeSession, codeSession)
        return fields
    }

    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(codeSession: try required(fields.text(.codeSession), .codeSession))
    }
}
