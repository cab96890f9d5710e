package import Foundation
import GRDB
package import OstiaryCore
package import OstiaryEngine

extension SQLiteStore {
    package func signInHistory(
        of account: AccountID, in app: AppName, at now: Date
    ) async throws -> StoredSignInHistory {
        try await read { db in
            try db.row(
                """
                SELECT
                    (SELECT last_sign_in_at FROM account_activity WHERE app = ?1 AND account_id = ?2),
                    (SELECT sealed FROM sign_in_history WHERE app = ?1 AND account_id = ?2 AND expires_at > ?3)
                """, [app.text, account.text, now.milliseconds],
                read: { StoredSignInHistory(lastSignInAt: try $0.optionalDate(), sealed: try $0.optionalBytes()) })
                ?? StoredSignInHistory()
        }
    }

    package func setSignInHistory(
        _ sealed: [UInt8], of account: AccountID, in app: AppName, until end: Date
    ) async throws {
        _ = try await write { db in
            try db.run(
                """
                INSERT INTO sign_in_history (app, account_id, sealed, expires_at)
                SELECT app, id, ?3, ?4 FROM account WHERE app = ?1 AND id = ?2
                ON CONFLICT (app, account_id) DO UPDATE SET
                    sealed = excluded.sealed, expires_at = excluded.expires_at
                """, [app.text, account.text, Data(sealed), end.milliseconds])
        }
    }
}
