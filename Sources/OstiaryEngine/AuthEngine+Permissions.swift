public import OstiaryCore

extension AuthEngine {
    /// Returns the permissions that an account has at this moment. The only evaluation of roles.
    ///
    /// Reads the store only for an account with a role that neither the configuration nor the server defines.
    ///
    /// - Throws: `AuthError.unavailable(incident:)`.
    public func permissions(of account: Account) async throws(AuthError) -> PermissionList {
        do {
            return PermissionList(try await roleDefinitions(for: account).permissions(of: account))
        } catch {
            throw refusal(for: error)
        }
    }

    /// Returns the definitions of all roles that an account has.
    private func roleDefinitions(for account: Account) async throws -> RoleDefinitions {
        let others = Set(account.assignments.lazy.map(\.role).filter { !app.roles.contains($0) })
        guard !others.isEmpty else { return app.roles }
        return app.roles.adding(try await ports.store.roles(named: others.sorted(), in: app.name))
    }

    /// Returns `true` if an account has all permissions, in every scope or in one.
    func isAdministrator(_ account: Account) async throws(AuthError) -> Bool {
        guard !account.assignments.isEmpty else { return false }
        return try await permissions(of: account).grants.contains { $0.pattern == .all }
    }
}
