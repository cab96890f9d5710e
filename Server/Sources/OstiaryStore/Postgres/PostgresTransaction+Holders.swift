import OstiaryCore
import OstiaryEngine
import OstiaryPostgres

extension PostgresTransaction {
    /// Locks the active accounts with a role in the order of their numbers, so that of two transactions that take the role away
    /// the second one sees what the first has done.
    ///
    /// - Parameter wholly: `true` to take the stronger lock, which the transaction needs later for one of them.
    func lockHolders(of role: String, in app: AppName, wholly: Bool) async throws {
        _ = try await run(
            """
            SELECT 1 FROM account_role r JOIN account a ON a.number = r.number
            WHERE r.app = $1 AND r.role = $2 AND a.is_active ORDER BY a.number
            FOR \(wholly ? "UPDATE" : "NO KEY UPDATE") OF a
            """, [app.text, role])
    }

    /// Checks in a statement of its own, which reads what was committed before the accounts were locked.
    ///
    /// - Throws: ``StoreRefusal/lastHolder`` if no other active account has the role.
    func requireHolder(of role: String, besides id: AccountID, in app: AppName) async throws {
        let others = try await run(
            """
            SELECT 1 FROM account_role r JOIN account a ON a.number = r.number
            WHERE r.app = $1 AND r.role = $2 AND a.is_active AND a.id <> $3 LIMIT 1
            """, [app.text, role, id.text])
        guard !others.isEmpty else { throw StoreRefusal.lastHolder }
    }
}
