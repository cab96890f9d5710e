public import Foundation

/// One second factor of the account, as its owner sees it.
public struct EnrolledFactor: Hashable, Sendable {
    /// The identifier with which ``RenameFactor`` and ``RemoveFactor`` name the factor.
    public var id: FactorID
    /// The method by which the factor answers a challenge: ``ChallengeMethod/totp`` or ``ChallengeMethod/passkey``.
    public var type: ChallengeMethod
    /// The name that the owner gave it.
    public var name: String
    /// The time at which the factor was added.
    public var createdAt: Date
    /// The time of the last authentication with the factor; nil if there was none.
    public var lastUsedAt: Date?

    /// Creates an entry from its parts.
    public init(id: FactorID, type: ChallengeMethod, name: String, createdAt: Date, lastUsedAt: Date? = nil) {
        self.id = id
        self.type = type
        self.name = name
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
    }
}

extension EnrolledFactor: OperationAnswer {
    /// The answer's content by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.entryId, id.text)
        fields.set(.type, type.rawValue)
        fields.set(.name, name)
        fields.set(.createdAt, createdAt)
        fields.set(.lastUsedAt, lastUsedAt)
        return fields
    }

    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            id: try required(fields.parsed(.entryId) { (text) throws(FieldProblem) in try FactorID(text) }, .entryId),
            type: ChallengeMethod(rawValue: try required(fields.text(.type), .type)),
            name: try required(fields.text(.name), .name), createdAt: try required(fields.time(.createdAt), .createdAt),
            lastUsedAt: try fields.time(.lastUsedAt))
    }

    /// The fields of an entry.
    package static let specification: [FieldSpec] = [
        .required(.entryId), .required(.type), .required(.name), .required(.createdAt), .optional(.lastUsedAt),
    ]
}
