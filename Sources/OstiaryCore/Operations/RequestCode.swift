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

    /// The name of this operation, ``OperationKind/requestCode``.
    public static let kind = OperationKind.requestCode
    /// Calls ``AuthService/requestCode(_:)``.
    public func perform(by service: some AuthService) async throws(AuthError) -> CodeRequested {
        try await service.requestCode(self)
    }
}

/// The result of ``RequestCode``.
public struct CodeRequested: Hashable, Sendable {
    /// The identifier of this request, which ``VerifyCode`` refers to.
    public var codeSession: String

    /// Creates a result from its parts.
    public init(codeSession: String) { self.codeSession = codeSession }
}
