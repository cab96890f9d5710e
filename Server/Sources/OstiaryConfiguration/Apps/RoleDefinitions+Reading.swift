import OstiaryCore
import OstiaryEngine

extension RoleDefinitions {
    /// Reads the permissions of each role: `editor: ["videos:read", "videos:write"]`.
    init(_ section: Section) throws(ConfigurationProblem) {
        var permissions: [String: [PermissionPattern]] = [:]
        for name in section.names {
            guard RoleAssignment.isRole(name) else {
                throw section.problem(name, "needs a role of \(RoleAssignment.form)")
            }
            guard name != User.adminRole else {
                throw section.problem(name, "needs another name: \(name) is built in and grants every permission")
            }
            guard let settings = try section.list(name), settings.count <= Self.maximumPermissions,
                permissions.count < Self.maximumRoles
            else { throw section.problem(name, "needs a list of at most \(Self.maximumPermissions) permissions") }
            var patterns: [PermissionPattern] = []
            for setting in settings {
                guard let pattern = try? PermissionPattern(try setting.string()) else {
                    throw setting.problem("needs a permission such as videos:write, videos:* or *")
                }
                patterns.append(pattern)
            }
            permissions[name] = patterns
        }
        try section.finish()
        self.init(permissions)
    }

    func show(in outline: inout Outline) {
        for (role, patterns) in permissions.sorted(by: { $0.key < $1.key }) { outline.add(role, patterns.map(\.text)) }
    }
}
