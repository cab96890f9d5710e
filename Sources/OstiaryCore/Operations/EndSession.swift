/// Ends one of the account's sessions.
///
/// Throws ``AuthError/notFound`` for a session that is not the account's.
public struct EndSession: AuthOperation {
    public var accessToken: Secret<String>
    public var sessionID: SessionID

    public init(accessToken: Secret<String>, sessionID: SessionID) {
        self.accessToken = accessToken
        self.sessionID = sessionID
    }

    public static let kind = OperationKind.endSession
    public func perform(by service: some AuthService) async throws(AuthError) -> Done {
        try await service.endSession(self)
    }
}
