#if Hummingbird
public import OstiaryCore

/// The conditions that a service imposes on a request, besides a valid access token. All of them must hold.
public struct AccessRequirement: Hashable, Sendable {
    /// The level and the maximum age of the authentication.
    public var authentication: StepUpRequirement
    /// The permissions that the account must have.
    public var permissions: [Permission]
    /// The scope in which the account must have the permissions; nil for every scope.
    public var scope: PermissionScope?

    /// Creates a requirement from its parts.
    public init(
        authentication: StepUpRequirement = StepUpRequirement(), permissions: [Permission] = [],
        scope: PermissionScope? = nil
    ) {
        self.authentication = authentication
        self.permissions = permissions
        self.scope = scope
    }

    /// Returns the requirement of a permission, in one scope or in every scope.
    ///
    /// - Parameters:
    ///   - permission: The permission: `resource:action`.
    ///   - scope: The scope, such as `project:42`; nil for every scope.
    /// - Throws: `FieldProblem` for a text that is no permission or no scope.
    public static func permission(
        _ permission: String, in scope: String? = nil
    ) throws(FieldProblem) -> AccessRequirement {
        var known: PermissionScope?
        if let scope { known = try PermissionScope(scope) }
        return AccessRequirement(permissions: [try Permission(permission)], scope: known)
    }

    /// Returns the requirement that holds if both hold.
    ///
    /// - Throws: `FieldProblem.notSupported` if both have permissions and their scopes differ: the server judges a request in one
    ///   scope.
    public func combined(with other: AccessRequirement) throws(FieldProblem) -> AccessRequirement {
        guard permissions.isEmpty || other.permissions.isEmpty || scope == other.scope else { throw .notSupported }
        return AccessRequirement(
            authentication: authentication.combined(with: other.authentication),
            permissions: permissions + other.permissions.filter { !permissions.contains($0) },
            scope: permissions.isEmpty ? other.scope : scope)
    }
}

extension StepUpRequirement {
    /// Returns the requirement that holds if both hold: the higher level and the lower age.
    func combined(with other: StepUpRequirement) -> StepUpRequirement {
        StepUpRequirement(
            level: [level, other.level].compactMap(\.self).max(),
            maximumAgeSeconds: [maximumAgeSeconds, other.maximumAgeSeconds].compactMap(\.self).min())
    }
}
#endif
