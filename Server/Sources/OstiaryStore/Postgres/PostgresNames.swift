import OstiaryCore
import OstiaryEngine
import OstiaryPostgres

/// A change to one of the names that accounts sign in with.
enum NameChange: Sendable {
    case take(String)
    /// Takes the name, also from a provider's account without a password, which cannot sign in with it.
    ///
    /// Emails are unique only among local accounts. A provider's account must not keep an address from its owner.
    case takeAsEmail(String)
    /// Takes the name unless another account has it.
    case takeIfFree(String)
    case drop(String)

    var name: String {
        switch self {
        case .take(let name), .takeAsEmail(let name), .takeIfFree(let name), .drop(let name): name
        }
    }

    fileprivate var isRequired: Bool {
        switch self {
        case .take, .takeAsEmail: true
        case .takeIfFree, .drop: false
        }
    }

    fileprivate func statements(of account: AccountID, in app: AppName) -> [PostgresStatement] {
        let take = PostgresStatement(
            "INSERT INTO account_name (app, name, account_id) VALUES ($1, $2, $3) ON CONFLICT (app, name) DO NOTHING",
            [app.text, name, account.text])
        switch self {
        case .take, .takeIfFree: return [take]
        case .takeAsEmail:
            let free = PostgresStatement(
                """
                DELETE FROM account_name n WHERE n.app = $1 AND n.name = $2 AND EXISTS (
                    SELECT 1 FROM account a WHERE a.app = n.app AND a.id = n.account_id
                    AND a.provider <> 'local' AND a.password_hash IS NULL)
                """, [app.text, name])
            // Repeated, because the first try waits for a transaction that is taking the name, and only the second sees
            // its row.
            return [free, take, free, take]
        case .drop:
            return [
                PostgresStatement(
                    "DELETE FROM account_name WHERE app = $1 AND name = $2 AND account_id = $3",
                    [app.text, name, account.text])
            ]
        }
    }
}

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
