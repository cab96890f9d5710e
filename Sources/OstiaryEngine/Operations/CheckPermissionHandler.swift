import OstiaryCore

extension CheckPermission: EngineOperation {
    var handler: CheckPermissionHandler { CheckPermissionHandler(call: self) }
}

/// Determines whether the account has a permission.
struct CheckPermissionHandler: OperationHandler {
    let call: CheckPermission

    static let action = CheckPermission.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<PermissionDecision> {
        let bearer = try await engine.signedIn(call.accessToken)
        return Outcome(
            PermissionDecision(
                isAllowed: try await engine.permissions(of: bearer.account).allows(call.permission, in: call.scope)))
    }
}
