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

    /// The name of this operation, ``OperationKind/verifyCode``.
    public static let kind = OperationKind.verifyCode
    /// Calls ``AuthService/verifyCode(_:)``.
    public func perform(by service: some AuthService) async throws(AuthError) -> CodeVerified {
        try await service.verifyCode(self)
    }
}

/// The result of ``VerifyCode``.
public struct CodeVerified: Hashable, Sendable {
    /// The proof that the phone number was verified.
    public var verificationToken: Secret<String>

    /// Creates a result from its parts.
    public init(verificationToken: Secret<String>) { self.verificationToken = verificationToken }
}
