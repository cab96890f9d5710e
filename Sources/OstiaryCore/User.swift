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
    public var isAdmin: Bool { hasRole(Self.adminRole) }

    /// Returns `true` if one of ``roles`` has that name, byte by byte. `roles.contains` also finds names that are only
    /// canonically equivalent.
    public func hasRole(_ name: String) -> Bool { roles.contains { $0.utf8.elementsEqual(name.utf8) } }

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
