import OstiaryCore

private let role = "/apps/{app}/roles/{role}"

extension AdminAPI {
    /// Lists the apps that the key reaches.
    public static let listApps = AdminEndpoint(
        "listApps", .get, "/apps", nil, "Lists the apps that the key reaches",
        query: AdminPageQuery.self, answer: AdminPage<AdminApp>.self)

    static let appOperations = [listApps.operation]
}

extension AdminAPI {
    /// Lists the roles of an app.
    public static let listRoles = AdminEndpoint(
        "listRoles", .get, "/apps/{app}/roles", .rolesRead, "Lists the roles of an app",
        query: AdminPageQuery.self, answer: AdminPage<AdminRole>.self)
    /// Defines a role.
    public static let createRole = AdminEndpoint(
        "createRole", .post, "/apps/{app}/roles", .rolesWrite, "Defines a role",
        body: AdminRoleCreation.self, answer: AdminRole.self, status: 201)
    /// Changes a role that this API has defined.
    public static let updateRole = AdminEndpoint(
        "updateRole", .patch, role, .rolesWrite, "Changes a role by a merge patch",
        body: AdminRolePatch.self, answer: AdminRole.self)
    /// Deletes a role that this API has defined.
    public static let deleteRole = AdminEndpoint("deleteRole", .delete, role, .rolesWrite, "Deletes a role")

    static let roleOperations = [
        listRoles.operation, createRole.operation, updateRole.operation, deleteRole.operation,
    ]
}

extension AdminAPI {
    /// Lists the signing keys of an app.
    public static let listSigningKeys = AdminEndpoint(
        "listSigningKeys", .get, "/apps/{app}/signing-keys", .signingKeysRead, "Lists the signing keys of an app",
        query: AdminPageQuery.self, answer: AdminPage<AdminSigningKey>.self)
    /// Replaces the key that signs an app's access tokens, and returns the keys.
    public static let rotateSigningKey = AdminEndpoint(
        "rotateSigningKey", .post, "/apps/{app}/signing-keys/rotate", .signingKeysWrite,
        "Replaces the key that signs an app's access tokens", answer: AdminPage<AdminSigningKey>.self)

    static let signingKeyOperations = [listSigningKeys.operation, rotateSigningKey.operation]
}
