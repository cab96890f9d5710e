import OstiaryCore
import OstiaryEngine
import OstiaryPostgres

/// What happens to one of the names that sign in.
enum NameChange: Sendable {
    case take(String)
    /// Takes it from somebody from a provider, who has no password, and whom it signs in nowhere.
    ///
    /// Emails are unique among local accounts alone. Whoever comes by a provider must not keep an address from its owner.
    case takeAsEmail(String)
    /// Takes it unless it is somebody else's.
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
            // Once more, because the first try waits for somebody who is just taking the name, and only the second sees who.
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
    /// In the order of the names, everywhere: two who want the same names then wait for each other in one direction only.
    ///
    /// - Parameter foreign: Names that no other account may have.
    /// - Returns: False if a name that has to be the account's, or one of `foreign`, is somebody else's.
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
