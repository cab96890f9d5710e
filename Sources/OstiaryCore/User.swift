/// A person as an app sees them.
public struct User: Hashable, Sendable {
    public var id: AccountID
    public var email: EmailAddress?
    public var username: Username?
    public var phoneNumber: PhoneNumber?
    public var fullName: PersonName?
    /// What the account may do, by name, in alphabetical order.
    public var roles: [String]
    /// `local`, or the kind of identity provider the account came from.
    public var authProvider: String

    /// The role that opens administrative endpoints.
    public static let adminRole = "admin"
    public var isAdmin: Bool { roles.contains(Self.adminRole) }

    public init(
        id: AccountID, email: EmailAddress? = nil, username: Username? = nil, phoneNumber: PhoneNumber? = nil,
        fullName: PersonName? = nil, roles: [String] = [], authProvider: String = "local"
    ) {
        self.id = id
        self.email = email
        self.username = username
        self.phoneNumber = phoneNumber
        self.fullName = fullName
        self.roles = roles
        self.authProvider = authProvider
    }
}
