/// A user's account as an app sees it.
public struct User: Hashable, Sendable {
    /// The identifier of the account, unique within the app.
    public var id: AccountID
    /// The account's email address; nil if it has none.
    public var email: EmailAddress?
    /// The account's username; nil if it has none.
    public var username: Username?
    /// The account's phone number; nil if it has none.
    public var phoneNumber: PhoneNumber?
    /// The user's display name; nil if unknown.
    public var fullName: PersonName?
    /// The names of the account's roles, in alphabetical order.
    public var roles: [String]
    /// `local`, or the kind of identity provider that the account comes from.
    public var authProvider: String
    /// The account's visible attributes by their declared names, such as `plan`; one without a value is absent.
    public var attributes: [String: AttributeValue]

    /// The name of the role that grants access to administrative endpoints.
    public static let adminRole = "admin"
    /// `true` if the account has the role ``adminRole``.
    public var isAdmin: Bool { hasRole(Self.adminRole) }

    /// Returns `true` if one of ``roles`` equals `name` byte for byte. `roles.contains` also matches names that are
    /// only canonically equivalent.
    public func hasRole(_ name: String) -> Bool { roles.contains { $0.utf8.elementsEqual(name.utf8) } }

    /// Creates a user from its parts; by default, a local account without roles.
    public init(
        id: AccountID, email: EmailAddress? = nil, username: Username? = nil, phoneNumber: PhoneNumber? = nil,
        fullName: PersonName? = nil, roles: [String] = [], authProvider: String = "local",
        attributes: [String: AttributeValue] = [:]
    ) {
        self.id = id
        self.email = email
        self.username = username
        self.phoneNumber = phoneNumber
        self.fullName = fullName
        self.roles = roles
        self.authProvider = authProvider
        self.attributes = attributes
    }
}

extension User: OperationAnswer {
    /// The answer's content by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.id, id.text)
        fields.set(.email, email?.text)
        fields.set(.username, username?.text)
        fields.set(.phoneNumber, phoneNumber?.e164)
        fields.set(.fullName, fullName?.text)
        fields.set(.authProvider, authProvider)
        fields[.roles] = .texts(roles)
        fields[.isAdmin] = .flag(isAdmin)
        fields.attributes = attributes
        return fields
    }

    /// Creates the answer from its fields. Without the field `roles`, the flag `isAdmin` stands for the role `admin`.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        var roles: [String] = []
        if case .texts(let names) = fields[.roles] {
            roles = names
        } else if try fields.flag(.isAdmin) == true {
            roles = [Self.adminRole]
        }
        self.init(
            id: try required(fields.parsed(.id) { (text) throws(FieldProblem) in try AccountID(text) }, .id),
            email: try fields.email(), username: try fields.username(), phoneNumber: try fields.phoneNumber(),
            fullName: try fields.fullName(), roles: roles, authProvider: try fields.text(.authProvider) ?? "local",
            attributes: fields.attributes)
    }
}
