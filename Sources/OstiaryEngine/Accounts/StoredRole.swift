public import OstiaryCore

/// A role that was made through the administration, as the store keeps it.
public struct StoredRole: Hashable, Sendable {
    /// The app that the role belongs to.
    public var app: AppName
    /// The name of the role.
    public var name: String
    /// The permissions that the role grants.
    public var permissions: [PermissionPattern]

    /// Creates a role from its parts.
    public init(app: AppName, name: String, permissions: [PermissionPattern]) {
        self.app = app
        self.name = name
        self.permissions = permissions
    }
}
