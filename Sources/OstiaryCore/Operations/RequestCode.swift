/// Sends a one-time code to a phone number, whether or not anyone has an account with it.
///
/// Throws ``AuthError/tooManyAttempts(retryAfterSeconds:)`` before the cooldown is over.
public struct RequestCode: AuthOperation {
    public var phoneNumber: PhoneNumber

    public init(phoneNumber: PhoneNumber) {
        self.phoneNumber = phoneNumber
    }

    public static let kind = OperationKind.requestCode
    public func perform(by service: some AuthService) async throws(AuthError) -> CodeRequested {
        try await service.requestCode(self)
    }
}

/// The answer to ``RequestCode``.
public struct CodeRequested: Hashable, Sendable {
    /// Names this request when the code is verified.
    public var codeSession: String

    public init(codeSession: String) { self.codeSession = codeSession }
}
