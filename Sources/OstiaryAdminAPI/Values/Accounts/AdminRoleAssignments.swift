/// All roles of an account.
public struct AdminRoleAssignments: AdminValue {
    /// The roles, with their scopes.
    public var roles: [AdminRoleAssignment] = []

    /// The name of the value's schema.
    public static let schemaName = "RoleAssignments"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminRoleAssignments>] = [
        .required("roles", \.roles, .list(.object, max: 100))
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}

    /// Creates a value from its parts.
    public init(roles: [AdminRoleAssignment]) {
        self.roles = roles
    }
}
