import OstiaryCore

extension ListPermissions: EngineOperation {
    var handler: ListPermissionsHandler { ListPermissionsHandler(call: self) }
}

/// Lists the account's permissions.
struct ListPermissionsHandler: OperationHandler {
    let call: ListPermissions

    static let action = ListPermissions.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<PermissionList> {
        let bearer = try await engine.signedIn(call.accessToken)
        return Outcome(try await engine.permissions(of: bearer.account))
    }
}
