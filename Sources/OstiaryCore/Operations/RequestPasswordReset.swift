/// Sends password reset instructions to the address if it has an account; the answer is the same if it has none.
public struct RequestPasswordReset: AuthOperation {
    /// The address that receives the instructions.
    public var email: EmailAddress

    /// Creates the operation from its parts.
    public init(email: EmailAddress) {
        self.email = email
    }

    /// The name of this operation, ``OperationKind/requestPasswordReset``.
    public static let kind = OperationKind.requestPasswordReset
    /// Calls ``AuthService/requestPasswordReset(_:)``.
    public func perform(by service: some AuthService) async throws(AuthError) -> Done {
        try await service.requestPasswordReset(self)
    }
}
