/// Checks a one-time code without spending it.
///
/// Throws ``AuthError/codeRefused`` for a code that is wrong, expired, spent or worn out.
public struct VerifyCode: AuthOperation {
    public var phoneNumber: PhoneNumber
    public var code: OneTimeCode
    public var codeSession: String

    public init(phoneNumber: PhoneNumber, code: OneTimeCode, codeSession: String) {
        self.phoneNumber = phoneNumber
        self.code = code
        self.codeSession = codeSession
    }

    public static let kind = OperationKind.verifyCode
    public func perform(by service: some AuthService) async throws(AuthError) -> CodeVerified {
        try await service.verifyCode(self)
    }
}

/// The answer to ``VerifyCode``.
public struct CodeVerified: Hashable, Sendable {
    /// Says that the phone number was proven.
    public var verificationToken: Secret<String>

    public init(verificationToken: Secret<String>) { self.verificationToken = verificationToken }
}
