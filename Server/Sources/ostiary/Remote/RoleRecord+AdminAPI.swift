import OstiaryAdmin

extension RoleRecord {
    init(_ role: AdminRole) {
        self.init(name: role.name, permissions: role.permissions, source: role.source.rawValue)
    }
}
