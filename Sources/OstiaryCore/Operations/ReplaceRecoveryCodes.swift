/// Replaces the account's recovery codes; earlier ones stop working.
///
/// Throws ``AuthError/notFound`` for an account without a second factor.
public struct ReplaceRecoveryCodes: AuthOperation {
    /// The access token of the session that makes the request.
    public var accessToken: Secret<String>

    /// Creates the operation from its parts.
    public init(accessToken: Secret<String>) {
        self.accessToken = accessToken
    }
}

extension ReplaceRecoveryCodes {
    /// The result of the operation if it succeeds.
    public typealias Answer = RecoveryCodes

    /// The description of this operation, ``OperationKind/replaceRecoveryCodes``.
    public static let description = OperationDescription(
        .replaceRecoveryCodes,
        summary: "Replaces the account's recovery codes",
        authorization: .required,
        request: FieldSet([]),
        answer: FieldSet([.recoveryCodes]),
        refusals: [403, 404],
        attempts: .other,
        endpoint: { _ in .post("/factors/recovery-codes") },
        takes: { _ in [] },
        answers: { _ in .shape(.fields([.required(.recoveryCodes)])) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields { .bearing(accessToken) }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalidAccessToken` without an access token.
    public init(_ fields: Fields) throws(AuthError) { self.init(accessToken: try fields.bearer()) }
}
