/// Reports that the session of an access token is active.
///
/// Throws ``AuthError/invalidAccessToken`` or ``AuthError/sessionRevoked``.
public struct Ping: AuthOperation {
    /// The result of the operation if it succeeds.
    public typealias Answer = Done

    /// The access token of the session.
    public var accessToken: Secret<String>

    /// Creates the operation from its parts.
    public init(accessToken: Secret<String>) { self.accessToken = accessToken }

    /// The description of this operation, ``OperationKind/ping``.
    public static let description = OperationDescription(
        .ping,
        summary: "Reports that the session is active",
        authorization: .required,
        request: FieldSet([]),
        attempts: .other,
        endpoint: { _ in .get("/ping") },
        takes: { _ in [] },
        answers: { _ in .shape(.nothing) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields { .bearing(accessToken) }
    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalidAccessToken` without an access token.
    public init(_ fields: Fields) throws(AuthError) { self.init(accessToken: try fields.bearer()) }
}
