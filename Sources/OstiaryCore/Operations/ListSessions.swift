/// Lists the live sessions of the account, the most recently used first.
public struct ListSessions: AuthOperation {
    public var accessToken: Secret<String>

    public init(accessToken: Secret<String>) {
        self.accessToken = accessToken
    }

    public static let kind = OperationKind.listSessions
    public func perform(by service: some AuthService) async throws(AuthError) -> [SessionSummary] {
        try await service.listSessions(self)
    }
}
