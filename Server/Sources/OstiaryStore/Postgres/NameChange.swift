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

    var isRequired: Bool {
        switch self {
        case .take, .takeAsEmail: true
        case .takeIfFree, .drop: false
        }
    }

    func statements(of account: AccountID, in app: AppName) -> [PostgresStatement] {
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
