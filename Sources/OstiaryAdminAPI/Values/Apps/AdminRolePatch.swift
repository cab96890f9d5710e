/// A change of a role, as a merge patch.
public struct AdminRolePatch: AdminValue {
    /// The permissions that the role grants.
    public var permissions: [String]?

    /// The name of the value's schema.
    public static let schemaName = "RolePatch"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminRolePatch>] = [
        .replaceable("permissions", \.permissions, .list(.permission, max: 256))
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}

    /// Creates a value from its parts.
    public init(permissions: [String]? = nil) {
        self.permissions = permissions
    }
}
