/// Returns the user that the access token belongs to.
///
/// Throws ``AuthError/invalidAccessToken``, ``AuthError/sessionRevoked`` or ``AuthError/accountDisabled``.
public struct CurrentUser: AuthOperation {
    /// The access token of the session.
    public var accessToken: Secret<String>

    /// Creates the operation from its parts.
    public init(accessToken: Secret<String>) {
        self.accessToken = accessToken
    }
}

extension CurrentUser {
    /// The result of the operation if it succeeds.
    public typealias Answer = User

    /// The description of this operation, ``OperationKind/currentUser``.
    public static let description = OperationDescription(
        .currentUser,
        summary: "Returns the user that the access token belongs to",
        authorization: .required,
        request: FieldSet([]),
        answer: .user,
        attempts: .other,
        auditing: .never,
        endpoint: { _ in .get("/me") },
        takes: { _ in [] },
        answers: { _ in .user })

    /// The operation's parameters by canonical field name.
    public var fields: Fields { .bearing(accessToken) }
    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalidAccessToken` without an access token.
    public init(_ fields: Fields) throws(AuthError) { self.init(accessToken: try fields.bearer()) }
}
