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
}

extension EndSession {
    /// The result of the operation if it succeeds.
    public typealias Answer = Done

    /// The description of this operation, ``OperationKind/endSession``.
    public static let description = OperationDescription(
        .endSession,
        summary: "Ends one of the account's sessions",
        authorization: .required,
        request: FieldSet([.sessionId]),
        refusals: [404],
        attempts: .other,
        endpoint: { _ in Endpoint(.delete, "/sessions/{sessionId}") },
        takes: { _ in [] },
        answers: { _ in .shape(.nothing) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields.bearing(accessToken)
        fields.set(.sessionId, sessionID.text)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalidAccessToken` without an access token; `AuthError.notFound` for a missing or
    ///   malformed session id.
    public init(_ fields: Fields) throws(AuthError) {
        let accessToken = try fields.bearer()
        // A malformed session id cannot belong to any session.
        guard case .text(let text) = fields[.sessionId], let id = try? SessionID(text) else { throw .notFound }
        self.init(accessToken: accessToken, sessionID: id)
    }
}
