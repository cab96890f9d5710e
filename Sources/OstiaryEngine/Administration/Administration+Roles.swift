public import OstiaryCore

extension Administration {
    /// The maximum number of roles that are assigned to one account.
    public static let maximumAssignments = 100

    static var tooManyRoles: AdministrationProblem {
        .invalid("roles", "too_many_roles", "an account has at most \(maximumAssignments) roles")
    }

    /// Returns a page of the app's roles in the order of their names, beginning after `name`.
    ///
    /// - Returns: The roles, and the name of the last; the name is `nil` if there are no more.
    public func roles(after name: String? = nil, limit: Int) async throws -> (page: [RoleDefinition], next: String?) {
        let limit = max(1, limit)
        let stored = try await engine.ports.store.roles(in: app.name, after: name, limit: limit + 1)
        let fixed = ([User.adminRole] + app.roles.permissions.keys).filter { role in name.map { $0 < role } ?? true }
        let all = fixed.compactMap(fixedRole) + stored.filter { !app.roles.contains($0.name) }.map(RoleDefinition.init)
        let page = all.sorted { $0.name < $1.name }.prefix(limit)
        return (Array(page), all.count > limit ? page.last?.name : nil)
    }

    /// Returns a role of the app.
    ///
    /// - Throws: ``AdministrationProblem`` if there is none of that name.
    public func role(_ name: String) async throws -> RoleDefinition {
        // Checked before the name is looked up: it may be any text.
        guard RoleAssignment.isRole(name) else {
            throw AdministrationProblem.notFound("no such role in \(app.name): a role is \(RoleAssignment.form)")
        }
        if let role = fixedRole(name) { return role }
        guard let stored = try await engine.ports.store.roles(named: [name], in: app.name).first else {
            throw AdministrationProblem.notFound("no role \(name) in \(app.name)")
        }
        return RoleDefinition(stored)
    }

    /// Adds a role to the app.
    ///
    /// - Throws: ``AdministrationProblem`` for a malformed name or permission, for a role that exists, and for too many.
    public func createRole(_ name: String, permissions: [String]) async throws -> RoleDefinition {
        var problems = FieldProblems()
        if !RoleAssignment.isRole(name) {
            problems.add(
                .invalid("name", name.isEmpty ? "missing" : "malformed", "a role is \(RoleAssignment.form)"))
        }
        let patterns = problems.collect(try Self.patterns(permissions)) ?? []
        try problems.require()
        let role = StoredRole(app: app.name, name: name, permissions: patterns)
        guard !app.roles.contains(name) else { throw Self.exists(name) }
        try await audit("roles.create", details: ["role": name, "permissions": role.summary])
        switch try await engine.ports.store.add(role, limit: RoleDefinitions.maximumRoles) {
        case .added: return RoleDefinition(role)
        case .exists: throw Self.exists(name)
        case .limitReached:
            throw AdministrationProblem.conflict(
                "role_limit_reached", "\(app.name) has \(RoleDefinitions.maximumRoles) roles already")
        }
    }

    /// Replaces the permissions of a role.
    ///
    /// - Parameter expected: The tag of the permissions that the new ones were made from; nil to replace whatever they are.
    /// - Throws: ``AdministrationProblem`` for a malformed permission, if there is no role of that name, for a role that
    ///   the configuration or the server defines, and if the permissions are not the expected ones.
    public func updateRole(
        _ name: String, permissions: [String], expected: EntityTag? = nil
    ) async throws -> RoleDefinition {
        let known = try await changeableRole(name)
        // Before the audit; the store decides it again.
        try expected?.require(EntityTag(permissionsOf: known))
        let role = StoredRole(app: app.name, name: known.name, permissions: try Self.patterns(permissions))
        try await audit("roles.update", details: ["role": name, "permissions": role.summary])
        let previous = expected.map { _ in StoredRole(app: app.name, name: known.name, permissions: known.permissions) }
        guard try await engine.ports.store.replace(role, from: previous) else {
            // Deleted, or changed since.
            _ = try await self.role(known.name)
            throw AdministrationProblem.editConflict
        }
        return RoleDefinition(role)
    }

    /// Deletes a role. Its assignments stay, and grant nothing.
    ///
    /// - Throws: ``AdministrationProblem`` if there is no role of that name, and for a role that the configuration or the
    ///   server defines.
    public func deleteRole(_ name: String) async throws {
        let known = try await changeableRole(name)
        try await audit("roles.delete", details: ["role": known.name])
        guard try await engine.ports.store.removeRole(known.name, in: app.name) else {
            throw AdministrationProblem.notFound("no role \(name) in \(app.name)")
        }
    }

    /// Replaces all role assignments of an account.
    ///
    /// - Parameter expected: The tag of the assignments that the new ones were made from; nil to replace whatever they are.
    /// - Returns: The updated account.
    /// - Throws: ``AdministrationProblem`` if there is no such account, for more than 100 assignments, and if the assignments are
    ///   not the expected ones.
    public func setRoles(
        of id: AccountID, _ roles: [RoleAssignment], expected: EntityTag? = nil
    ) async throws -> Account {
        guard roles.count <= Self.maximumAssignments else { throw Self.tooManyRoles }
        let account = try await account(id)
        // Before the audit; the store decides it again.
        try expected?.require(EntityTag(rolesOf: account))
        try await audit(
            "users.roles", account.id, details: ["roles": roles.sorted().map(\.text).joined(separator: ",")])
        var change = AccountChange(replacedRoles: roles)
        change.expectedRoles = expected
        return try await apply(change, to: account)
    }

    /// Returns the role of a name that the server or the configuration defines.
    private func fixedRole(_ name: String) -> RoleDefinition? {
        if name == User.adminRole { return RoleDefinition(name: name, permissions: [.all], source: .builtIn) }
        return app.roles.permissions[name].map { RoleDefinition(name: name, permissions: $0, source: .configuration) }
    }

    /// Returns a role that the admin API or the console may change.
    ///
    /// - Throws: ``AdministrationProblem`` if the app has no such role, or it is built in or of the configuration.
    public func changeableRole(_ name: String) async throws -> RoleDefinition {
        let role = try await role(name)
        guard role.source == .api else {
            throw AdministrationProblem.conflict(
                "role_read_only",
                role.source == .builtIn
                    ? "the role \(name) is built in" : "the role \(name) is defined in the configuration")
        }
        return role
    }

    private static func exists(_ name: String) -> AdministrationProblem {
        .conflict("role_exists", pointer: "/name", "there is a role \(name) already")
    }

    private static func patterns(_ texts: [String]) throws(AdministrationProblem) -> [PermissionPattern] {
        guard texts.count <= RoleDefinitions.maximumPermissions else {
            throw .invalid(
                "permissions", "too_many_permissions",
                "a role has at most \(RoleDefinitions.maximumPermissions) permissions")
        }
        var patterns: [PermissionPattern] = []
        for (index, text) in texts.enumerated() {
            do {
                let pattern = try PermissionPattern(text)
                if !patterns.contains(pattern) { patterns.append(pattern) }
            } catch {
                throw .invalid(
                    "permissions/\(index)", error.code, "a permission is such as videos:write, videos:* or *")
            }
        }
        return patterns
    }
}

extension RoleDefinition {
    fileprivate init(_ stored: StoredRole) {
        self.init(name: stored.name, permissions: stored.permissions, source: .api)
    }
}

extension StoredRole {
    /// The permissions as one text, for the audit log.
    fileprivate var summary: String { permissions.map(\.text).joined(separator: ",") }
}
