import OstiaryAdmin

extension RemoteControl {
    /// Performs a command on the roles of an app; nil for another command.
    func performOnRoles(_ command: ControlCommand, in app: String) async throws -> ControlReply? {
        switch command {
        case .listRoles:
            var roles: [RoleRecord] = []
            for try await role in admin.roles(in: app) { roles.append(RoleRecord(role)) }
            return .roles(roles, next: nil)
        case .createRole(let name, let permissions):
            let role = try await admin.createRole(name, permissions: permissions, in: app)
            return .roles([RoleRecord(role)], next: nil)
        case .updateRole(let name, let permissions):
            let role = try await admin.updateRole(name, permissions: permissions, in: app)
            return .roles([RoleRecord(role)], next: nil)
        case .deleteRole(let name):
            try await admin.deleteRole(name, in: app)
            return .done
        default: return nil
        }
    }
}
