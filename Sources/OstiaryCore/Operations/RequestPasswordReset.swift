/// Sends instructions for a new password to the address, if there is an account; answers the same if there is none.
public struct RequestPasswordReset: AuthOperation {
    public var email: EmailAddress

    public init(email: EmailAddress) {
        self.email = email
    }

    public static let kind = OperationKind.requestPasswordReset
    public func perform(by service: some AuthService) async throws(AuthError) -> Done {
        try await service.requestPasswordReset(self)
    }
}
