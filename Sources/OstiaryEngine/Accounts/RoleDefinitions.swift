public import OstiaryCore

/// The roles of an app and the permissions that each grants.
///
/// There is no inheritance between roles and no rule that denies: an account may do what one of its roles grants. A role that is
/// assigned and not defined grants nothing.
public struct RoleDefinitions: Hashable, Sendable {
    /// The permissions by the role's name, without the built-in role.
    public private(set) var permissions: [String: [PermissionPattern]]

    /// Creates definitions from the permissions of each role. `User.adminRole` exists always and grants all permissions.
    public init(_ permissions: [String: [PermissionPattern]] = [:]) {
        self.permissions = permissions
        self.permissions[User.adminRole] = nil
    }

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

    private func patterns(of role: String) -> [PermissionPattern] {
        role == User.adminRole ? [.all] : permissions[role] ?? []
    }
}

extension AppSettings {
    /// Returns `true` if a role of an account grants a permission in a scope; nil for every scope.
    public func allows(_ permission: Permission, in scope: PermissionScope?, to account: Account) -> Bool {
        PermissionList(roles.permissions(of: account)).allows(permission, in: scope)
    }
}
