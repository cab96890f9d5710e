import OstiaryCore
import OstiaryEngine
import OstiaryPostgres

extension PostgresTransaction {
    /// Changes an account's names, after its row is written or locked.
    ///
    /// Always in sort order, against deadlocks: two transactions that take the same names then wait in one direction
    /// only.
    ///
    /// - Parameter foreign: Names that no other account may have.
    /// - Returns: `false` if another account has a required name, or one of `foreign`.
    func change(
        _ changes: [NameChange], of account: AccountID, in app: AppName, unlessTaken foreign: [String] = []
    ) async throws -> Bool {
        guard !changes.isEmpty else { return true }
        let required = changes.filter(\.isRequired).map(\.name)
        let ordered = changes.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        let owned = PostgresStatement(
            "SELECT count(*) FROM account_name WHERE app = $1 AND account_id = $2 AND name = ANY($3)",
            [app.text, account.text, required])
        var statements = ordered.flatMap { $0.statements(of: account, in: app) } + [owned]
        if !foreign.isEmpty {
            statements.append(
                PostgresStatement(
                    "SELECT count(*) FROM account_name WHERE app = $1 AND name = ANY($2) AND account_id <> $3",
                    [app.text, foreign, account.text]))
        }
        let counts = try await run(statements).suffix(foreign.isEmpty ? 1 : 2).map {
            try $0.value { try $0.integer() }
        }
        return counts.first == Int64(required.count) && (foreign.isEmpty || counts.last == 0)
    }
}
