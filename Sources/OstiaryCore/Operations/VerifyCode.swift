/// Checks a one-time code without consuming it.
///
/// Throws ``AuthError/codeRefused`` for a code that is wrong, expired, already used or locked after too many wrong
/// attempts.
public struct VerifyCode: AuthOperation {
    /// The number that received the code.
    public var phoneNumber: PhoneNumber
    /// The code that the user entered.
    public var code: OneTimeCode
    /// The ``CodeRequested/codeSession`` of the request that sent the code.
    public var codeSession: String

    /// Creates the operation from its parts.
    public init(phoneNumber: PhoneNumber, code: OneTimeCode, codeSession: String) {
        self.phoneNumber = phoneNumber
        self.code = code
        self.codeSession = codeSession
    }
}

extension VerifyCode {
    /// The result of the operation if it succeeds.
    public typealias Answer = CodeVerified

    /// The description of this operation, ``OperationKind/verifyCode``.
    public static let description = OperationDescription(
        .verifyCode,
        summary: "Checks a one-time code without consuming it",
        request: FieldSet([.phoneNumber, .code, .codeSession]),
        answer: FieldSet([.verificationToken]),
        unauthorized: .codeRefused,
        attempts: .codeCheck,
        needsAppAssertion: true,
        endpoint: { $0.takesCodes ? .post("/verify-code") : nil },
        takes: { _ in [.required(.phoneNumber), .required(.code), .required(.codeSession)] },
        answers: { _ in .shape(.fields([.required(.verificationToken)])) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.phoneNumber, phoneNumber.e164)
        fields.set(.code, code.reveal())
        fields.set(.codeSession, codeSession)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            phoneNumber: try required(fields.phoneNumber(), .phoneNumber), code: try required(fields.code(), .code),
            codeSession: try required(fields.text(.codeSession), .codeSession))
    }
}

/// The result of ``VerifyCode``.
public struct CodeVerified: Hashable, Sendable {
    /// The proof that the phone number was verified.
    public var verificationToken: Secret<String>

    /// Creates a result from its parts.
    public init(verificationToken: Secret<String>) { self.verificationToken = verificationToken }
}

extension CodeVerified: OperationAnswer {
    /// The answer's content by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.verificationToken, verificationToken)
        return fields
    }

    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(verificationToken: try required(fields.secret(.verificationToken), .verificationToken))
    }
}
