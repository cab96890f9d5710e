/// A new role.
public struct AdminRoleCreation: AdminValue {
    /// The name.
    public var name: String = ""
    /// The permissions that the role grants.
    public var permissions: [String] = []

    /// The name of the value's schema.
    public static let schemaName = "RoleCreation"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminRoleCreation>] = [
        .required("name", \.name, .text(1, max: 64)),
        .required("permissions", \.permissions, .list(.permission, max: 256)),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}

    /// Creates a value from its parts.
    public init(name: String, permissions: [String]) {
        self.name = name
        self.permissions = permissions
    }
}
