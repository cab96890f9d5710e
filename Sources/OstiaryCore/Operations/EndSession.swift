/// Revokes one of the account's sessions.
///
/// Throws ``AuthError/notFound`` for a session that does not belong to the account.
public struct EndSession: AuthOperation {
    /// The access token of the session that makes the request.
    public var accessToken: Secret<String>
    /// The session to revoke.
    public var sessionID: SessionID

    /// Creates the operation from its parts.
    public init(accessToken: Secret<String>, sessionID: SessionID) {
        self.accessToken = accessToken
        self.sessionID = sessionID
    }

    /// The name of this operation, ``OperationKind/endSession``.
    public static let kind = OperationKind.endSession
    /// Calls ``AuthService/endSession(_:)``.
    public func perform(by service: some AuthService) async throws(AuthError) -> Done {
        try await service.endSession(self)
    }
}
