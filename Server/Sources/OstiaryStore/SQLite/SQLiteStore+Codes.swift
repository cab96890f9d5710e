package import Foundation
import GRDB
package import OstiaryCore
package import OstiaryEngine

extension SQLiteStore {
    package func replace(with code: PendingCode) async throws {
        try await write { try $0.keep(code) }
    }

    package func takeTry(
        recipient: [UInt8], id: String?, in app: AppName, at now: Date
    ) async throws -> PendingCode? {
        try await write { db in
            try db.row(
                """
                UPDATE code SET tries_left = tries_left - 1
                WHERE app = ?1 AND recipient = ?2 AND id = COALESCE(?3, id) AND expires_at > ?4 AND tries_left > 0
                RETURNING id, code_hash, expires_at, tries_left
                """, [app.text, Data(recipient), id, now.milliseconds]
            ) { try $0.pendingCode(for: recipient, in: app) }
        }
    }

    package func code(for recipient: [UInt8], in app: AppName, at now: Date) async throws -> PendingCode? {
        try await read { db in
            try db.row(
                """
                SELECT id, code_hash, expires_at, tries_left FROM code
                WHERE app = ?1 AND recipient = ?2 AND expires_at > ?3 AND tries_left > 0
                """, [app.text, Data(recipient), now.milliseconds]
            ) { try $0.pendingCode(for: recipient, in: app) }
        }
    }

    package func giveTryBack(_ id: String, in app: AppName) async throws {
        _ = try await write { db in
            try db.run("UPDATE code SET tries_left = tries_left + 1 WHERE app = ?1 AND id = ?2", [app.text, id])
        }
    }
}

extension SQLiteStore {
    package func account(forResetToken hash: [UInt8], in app: AppName, at now: Date) async throws -> AccountID? {
        try await read { db in
            try db.row(
                """
                SELECT account_id FROM reset_token
                WHERE app = ?1 AND hash = ?2 AND expires_at > ?3 AND account_id IS NOT NULL
                """, [app.text, Data(hash), now.milliseconds], read: { try $0.value(AccountID.init) })
        }
    }
}

extension Database {
    /// Stores the code and voids the recipient's earlier one.
    func keep(_ code: PendingCode) throws {
        try run(
            """
            INSERT INTO code (app, recipient, id, code_hash, expires_at, tries_left)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (app, recipient) DO UPDATE SET
                id = excluded.id, code_hash = excluded.code_hash, expires_at = excluded.expires_at,
                tries_left = excluded.tries_left
            """,
            [
                code.app.text, Data(code.recipient), code.id, Data(code.codeHash), code.expiresAt.milliseconds,
                code.triesLeft,
            ])
    }

    /// Stores the token and voids the recipient's earlier one.
    func keep(_ token: PendingReset) throws {
        // For an account that was deleted meanwhile the token is stored without one, as for an unknown identifier.
        try run(
            """
            INSERT INTO reset_token (app, recipient, hash, account_id, expires_at)
            VALUES (?1, ?2, ?3, (SELECT id FROM account WHERE app = ?1 AND id = ?4), ?5)
            ON CONFLICT (app, recipient) DO UPDATE SET
                hash = excluded.hash, account_id = excluded.account_id, expires_at = excluded.expires_at
            """,
            [
                token.app.text, Data(token.recipient), Data(token.hash), token.account?.text,
                token.expiresAt.milliseconds,
            ])
    }
}
