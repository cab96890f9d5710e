/// Renames one of the account's second factors.
///
/// Throws ``AuthError/notFound`` for a factor that does not belong to the account.
public struct RenameFactor: AuthOperation {
    /// The access token of the session that makes the request.
    public var accessToken: Secret<String>
    /// The factor to rename.
    public var factorID: FactorID
    /// The new name.
    public var name: FactorName

    /// Creates the operation from its parts.
    public init(accessToken: Secret<String>, factorID: FactorID, name: FactorName) {
        self.accessToken = accessToken
        self.factorID = factorID
        self.name = name
    }
}

extension RenameFactor {
    /// The result of the operation if it succeeds.
    public typealias Answer = EnrolledFactor

    /// The description of this operation, ``OperationKind/renameFactor``.
    public static let description = OperationDescription(
        .renameFactor,
        summary: "Renames one of the account's second factors",
        authorization: .required,
        request: FieldSet([.factorId, .name]),
        answer: FieldSet([.entryId, .type, .name, .createdAt], also: [.lastUsedAt]),
        refusals: [403, 404],
        attempts: .other,
        endpoint: { _ in Endpoint(.patch, "/factors/{factorId}") },
        takes: { _ in [.required(.name)] },
        answers: { _ in .shape(.fields(EnrolledFactor.specification)) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields.bearing(accessToken)
        fields.set(.factorId, factorID.text)
        fields.set(.name, name.text)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalidAccessToken` without an access token; `AuthError.invalid` for a field that is
    ///   missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            accessToken: try fields.bearer(), factorID: try fields.factorID(),
            name: try required(fields.factorName(), .name))
    }
}
