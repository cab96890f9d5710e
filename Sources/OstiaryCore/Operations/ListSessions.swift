/// Returns the active sessions of the account, the most recently used first.
public struct ListSessions: AuthOperation {
    /// The access token of the session that makes the request.
    public var accessToken: Secret<String>

    /// Creates the operation from its parts.
    public init(accessToken: Secret<String>) {
        self.accessToken = accessToken
    }

    /// The name of this operation, ``OperationKind/listSessions``.
    public static let kind = OperationKind.listSessions
    /// Calls ``AuthService/listSessions(_:)``.
    public func perform(by service: some AuthService) async throws(AuthError) -> [SessionSummary] {
        try await service.listSessions(self)
    }
}
