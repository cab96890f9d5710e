/// Changes the profile fields that users may edit themselves. A nil property leaves the field unchanged.
///
/// Throws ``AuthError/invalidAttribute(_:_:)`` for an attribute that is not acceptable, or that only administrators may set.
public struct UpdateProfile: AuthOperation {
    /// The access token of the session.
    public var accessToken: Secret<String>
    /// The new display name; nil leaves it unchanged.
    public var fullName: PersonName?
    /// New values of account attributes, by the names that the app declares; the others keep their values.
    public var attributes: [String: AttributeValue]

    /// Creates the operation from its parts.
    public init(
        accessToken: Secret<String>, fullName: PersonName? = nil, attributes: [String: AttributeValue] = [:]
    ) {
        self.accessToken = accessToken
        self.fullName = fullName
        self.attributes = attributes
    }
}

extension UpdateProfile {
    /// The result of the operation if it succeeds.
    public typealias Answer = User

    /// The description of this operation, ``OperationKind/updateProfile``.
    public static let description = OperationDescription(
        .updateProfile,
        summary: "Changes the user's profile",
        authorization: .required,
        request: FieldSet([], also: [.fullName]),
        answer: .user,
        attempts: .other,
        takesAttributes: true,
        endpoint: { $0.takesPasswords ? Endpoint(.patch, "/me") : nil },
        takes: { _ in [.optional(.fullName)] },
        answers: { _ in .user })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields.bearing(accessToken)
        fields.set(.fullName, fullName?.text)
        fields.attributes = attributes
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalidAccessToken` without an access token; `AuthError.invalid` for a field that is
    ///   missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(accessToken: try fields.bearer(), fullName: try fields.fullName(), attributes: fields.attributes)
    }
}
