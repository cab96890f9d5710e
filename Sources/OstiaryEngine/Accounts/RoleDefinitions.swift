public import OstiaryCore

/// The roles of an app and the permissions that each grants.
///
/// There is no inheritance between roles and no rule that denies: an account may do what one of its roles grants. A role that is
/// assigned and not defined grants nothing.
public struct RoleDefinitions: Hashable, Sendable {
    /// The permissions by the role's name, without the built-in role.
    public private(set) var permissions: [String: [PermissionPattern]]

    /// The maximum number of permissions of one role.
    public static let maximumPermissions = 200
    /// The maximum number of roles of one app in its configuration, and of those made through the administration.
    public static let maximumRoles = 200

    /// Creates definitions from the permissions of each role. `User.adminRole` exists always and grants all permissions.
    public init(_ permissions: [String: [PermissionPattern]] = [:]) {
        self.permissions = permissions
        self.permissions[User.adminRole] = nil
    }

    /// Returns `true` for the built-in role and the roles of these definitions.
    public func contains(_ role: String) -> Bool { role == User.adminRole || permissions[role] != nil }

    /// Returns the permissions of an account: those for every scope first, then by scope and text, each once.
    public func permissions(of account: Account) -> [GrantedPermission] {
        var grants: Set<GrantedPermission> = []
        for assignment in account.assignments {
            for pattern in patterns(of: assignment.role) {
                grants.insert(GrantedPermission(pattern, in: assignment.scope))
            }
        }
        return grants.sorted { ($0.scope?.text ?? "", $0.pattern.text) < ($1.scope?.text ?? "", $1.pattern.text) }
    }

    /// Returns these definitions with stored roles. A role of these definitions takes precedence over a stored one.
    func adding(_ stored: [StoredRole]) -> RoleDefinitions {
        var all = self
        for role in stored where !contains(role.name) { all.permissions[role.name] = role.permissions }
        return all
    }

    private func patterns(of role: String) -> [PermissionPattern] {
        role == User.adminRole ? [.all] : permissions[role] ?? []
    }
}
