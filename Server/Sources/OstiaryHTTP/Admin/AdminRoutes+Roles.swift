import OstiaryAdminAPI
import OstiaryCore
import OstiaryEngine

extension AdminRoutes {
    static let roles = [
        AdminRoute(AdminAPI.listRoles) { request, query, _ in
            let cursors = request.cursors(query)
            let (page, next) = try await request.app.roles(
                after: try cursors.position(query.cursor), limit: query.pageLimit)
            return AdminPage(page.map { AdminRole($0) }, nextCursor: next.map { cursors.cursor($0) })
        },
        AdminRoute(AdminAPI.createRole, location: \.name) { request, _, body in
            AdminRole(try await request.app.createRole(body.name, permissions: body.permissions))
        },
        AdminRoute(AdminAPI.updateRole, exists: roleExists) { request, _, body in
            let (app, name) = (try request.app, request.value("role"))
            guard let permissions = body.permissions else { return AdminRole(try await app.role(name)) }
            return AdminRole(try await app.updateRole(name, permissions: permissions))
        },
        AdminRoute(AdminAPI.deleteRole, exists: roleExists) { request, _, _ in
            try await request.app.deleteRole(request.value("role"))
            return AdminEmpty()
        },
        AdminRoute(AdminAPI.setRoles) { request, _, body in
            let app = try request.app
            let roles = try body.roles.enumerated().map { index, role in try role.assignment(at: index) }
            // Not the account: who may set roles may not read it.
            let account = try await app.setRoles(of: request.account, roles)
            return AdminRoleAssignments(
                roles: account.assignments.map { AdminRoleAssignment($0.role, scope: $0.scope?.text) })
        },
    ]

    private static let roleExists: @Sendable (AdminRequest) async throws -> Void = { request in
        _ = try await request.app.role(request.value("role"))
    }
}

extension AdminRole {
    init(_ role: RoleDefinition) {
        self.init()
        name = role.name
        permissions = role.permissions.map(\.text)
        source = AdminRoleSource(rawValue: role.source.rawValue)
    }
}

extension AdminRoleAssignment {
    /// Returns the assignment at an index of the body.
    fileprivate func assignment(at index: Int) throws -> RoleAssignment {
        var known: PermissionScope?
        if let scope {
            do throws(FieldProblem) { known = try PermissionScope(scope) } catch {
                throw AdministrationProblem.invalid(
                    "roles/\(index)/scope", error.code, "the scope of a role is not acceptable")
            }
        }
        guard RoleAssignment.isRole(role) else {
            throw AdministrationProblem.invalid(
                "roles/\(index)/role", role.isEmpty ? "missing" : "malformed", "the name of a role is not acceptable")
        }
        return try RoleAssignment(role: role, scope: known)
    }
}
