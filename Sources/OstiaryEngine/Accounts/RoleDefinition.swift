public import OstiaryCore

/// A role of an app, as the administration shows it.
public struct RoleDefinition: Hashable, Sendable {
    /// The name of the role.
    public var name: String
    /// The permissions that the role grants.
    public var permissions: [PermissionPattern]
    /// The origin of the definition.
    public var source: Source

    /// The origin of a role's definition. The raw value is the name on the wire.
    public enum Source: String, CaseIterable, Hashable, Sendable {
        /// The role exists in every app and cannot be changed.
        case builtIn = "built-in"
        /// The app's configuration, which is changed in its file.
        case configuration
        /// The administration.
        case api
    }

    /// Creates a definition from its parts.
    public init(name: String, permissions: [PermissionPattern], source: Source) {
        self.name = name
        self.permissions = permissions
        self.source = source
    }
}
