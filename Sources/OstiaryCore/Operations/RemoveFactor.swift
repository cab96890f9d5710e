/// Removes one of the account's second factors, and with the last one the recovery codes.
///
/// Throws ``AuthError/notFound`` for a factor that does not belong to the account, ``AuthError/factorRequired`` for the
/// last one if the app requires one.
public struct RemoveFactor: AuthOperation {
    /// The access token of the session that makes the request.
    public var accessToken: Secret<String>
    /// The factor to remove.
    public var factorID: FactorID

    /// Creates the operation from its parts.
    public init(accessToken: Secret<String>, factorID: FactorID) {
        self.accessToken = accessToken
        self.factorID = factorID
    }
}

extension RemoveFactor {
    /// The result of the operation if it succeeds.
    public typealias Answer = Done

    /// The description of this operation, ``OperationKind/removeFactor``.
    public static let description = OperationDescription(
        .removeFactor,
        summary: "Removes one of the account's second factors",
        authorization: .required,
        request: FieldSet([.factorId]),
        refusals: [403, 404, 409],
        attempts: .other,
        endpoint: { _ in Endpoint(.delete, "/factors/{factorId}") },
        takes: { _ in [] },
        answers: { _ in .shape(.nothing) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields.bearing(accessToken)
        fields.set(.factorId, factorID.text)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalidAccessToken` without an access token; `AuthError.notFound` for a missing or
    ///   malformed factor id.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(accessToken: try fields.bearer(), factorID: try fields.factorID())
    }
}
