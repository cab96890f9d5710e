public import OstiaryAdminAPI

extension AdminClient {
    /// Lists the apps that the key reaches.
    public func apps() -> AdminList<AdminApp> { list(AdminAPI.listApps) }

    /// Lists the roles of an app.
    public func roles(in app: String) -> AdminList<AdminRole> { list(AdminAPI.listRoles, path: [app]) }

    /// Defines a role.
    ///
    /// - Throws: ``AdminError``, with the code `role_exists` if there is one of that name.
    public func createRole(
        _ name: String, permissions: [String], in app: String, idempotencyKey: String? = nil
    ) async throws(AdminError) -> AdminRole {
        try await perform(
            AdminAPI.createRole, path: [app], body: AdminRoleCreation(name: name, permissions: permissions),
            idempotencyKey: idempotencyKey)
    }

    /// Changes a role that this API has defined, and returns it.
    ///
    /// - Throws: ``AdminError``.
    public func updateRole(
        _ name: String, permissions: [String], in app: String
    ) async throws(AdminError) -> AdminRole {
        try await perform(AdminAPI.updateRole, path: [app, name], body: AdminRolePatch(permissions: permissions))
    }

    /// Deletes a role that this API has defined. Its assignments stay, and grant nothing.
    ///
    /// - Throws: ``AdminError``.
    public func deleteRole(_ name: String, in app: String) async throws(AdminError) {
        _ = try await perform(AdminAPI.deleteRole, path: [app, name])
    }

    /// Lists the keys that sign an app's access tokens.
    public func signingKeys(in app: String) -> AdminList<AdminSigningKey> {
        list(AdminAPI.listSigningKeys, path: [app])
    }

    /// Replaces the key that signs an app's access tokens, and returns the keys.
    ///
    /// - Throws: ``AdminError``.
    public func rotateSigningKey(in app: String) async throws(AdminError) -> [AdminSigningKey] {
        try await perform(AdminAPI.rotateSigningKey, path: [app]).items
    }
}
