package import Foundation
package import OstiaryCore
package import OstiaryEngine
import OstiaryPostgres

extension PostgresStore {
    package func signInHistory(
        of account: AccountID, in app: AppName, at now: Date
    ) async throws -> StoredSignInHistory {
        try await read(
            """
            SELECT
                (SELECT last_sign_in_at FROM account_activity WHERE app = $1 AND account_id = $2),
                (SELECT sealed FROM sign_in_history WHERE app = $1 AND account_id = $2 AND expires_at > $3)
            """, [app.text, account.text, now.milliseconds]
        ).value { StoredSignInHistory(lastSignInAt: try $0.optionalDate(), sealed: try $0.optionalBytes()) }
            ?? StoredSignInHistory()
    }

    package func setSignInHistory(
        _ sealed: [UInt8], of account: AccountID, in app: AppName, until end: Date
    ) async throws {
        // A repetition writes the same. The account's row is locked as by the check of the foreign key, so that a concurrent
        // deletion is waited for and not refused.
        _ = try await write(
            """
            INSERT INTO sign_in_history (app, account_id, sealed, expires_at)
            SELECT app, id, $3, $4 FROM account WHERE app = $1 AND id = $2 FOR KEY SHARE
            ON CONFLICT (app, account_id) DO UPDATE SET
                sealed = excluded.sealed, expires_at = excluded.expires_at
            """, [app.text, account.text, sealed, end.milliseconds])
    }
}
