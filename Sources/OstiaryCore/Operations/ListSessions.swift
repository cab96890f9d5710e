/// Returns the active sessions of the account, the most recently used first.
public struct ListSessions: AuthOperation {
    /// The access token of the session that makes the request.
    public var accessToken: Secret<String>

    /// Creates the operation from its parts.
    public init(accessToken: Secret<String>) {
        self.accessToken = accessToken
    }
}

extension ListSessions {
    /// The result of the operation if it succeeds.
    public typealias Answer = [SessionSummary]

    /// The description of this operation, ``OperationKind/listSessions``.
    public static let description = OperationDescription(
        .listSessions,
        summary: "Lists the account's active sessions",
        authorization: .required,
        request: FieldSet([]),
        answer: FieldSet([.sessions]),
        attempts: .other,
        auditing: .never,
        endpoint: { _ in .get("/sessions") },
        takes: { _ in [] },
        answers: { _ in .shape(.fields([.required(.sessions)])) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields { .bearing(accessToken) }
    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalidAccessToken` without an access token.
    public init(_ fields: Fields) throws(AuthError) { self.init(accessToken: try fields.bearer()) }
}
