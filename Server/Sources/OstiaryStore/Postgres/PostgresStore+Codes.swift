package import Foundation
package import OstiaryCore
package import OstiaryEngine
import OstiaryPostgres

extension PostgresStore {
    package func replace(with code: PendingCode) async throws {
        try await replace(with: code, as: WriteOperation(system))
    }

    func replace(with code: PendingCode, as operation: WriteOperation) async throws {
        // Idempotent: a delayed duplicate must not restore a redeemed code, nor the tries already used.
        try await transaction { tx in
            guard try await tx.begin(operation) == .first else { return }
            try await tx.commit(after: [code.insertion])
        }
    }

    package func takeTry(
        recipient: [UInt8], id: String?, in app: AppName, at now: Date
    ) async throws -> PendingCode? {
        try await takeTry(recipient: recipient, id: id, in: app, at: now, as: WriteOperation(system))
    }

    func takeTry(
        recipient: [UInt8], id: String?, in app: AppName, at now: Date, as operation: WriteOperation
    ) async throws -> PendingCode? {
        // An app may send any text as an id; PostgreSQL stores no NUL, so no code has such an id.
        guard id?.utf8.contains(0) != true else { return nil }
        return try await write(
            """
            UPDATE code SET
                tries_left = tries_left - CASE WHEN tried_by = $5::uuid THEN 0 ELSE 1 END,
                tried_by = $5::uuid
            WHERE app = $1 AND recipient = $2 AND id = COALESCE($3, id) AND expires_at > $4
                AND (tries_left > 0 OR tried_by = $5::uuid)
            RETURNING id, code_hash, expires_at, tries_left
            """, [app.text, recipient, id, now.milliseconds, operation.id]
        ).value { try $0.pendingCode(for: recipient, in: app) }
    }

    package func code(for recipient: [UInt8], in app: AppName, at now: Date) async throws -> PendingCode? {
        try await read(
            """
            SELECT id, code_hash, expires_at, tries_left FROM code
            WHERE app = $1 AND recipient = $2 AND expires_at > $3 AND tries_left > 0
            """, [app.text, recipient, now.milliseconds]
        ).value { try $0.pendingCode(for: recipient, in: app) }
    }

    package func giveTryBack(_ id: String, in app: AppName) async throws {
        try await giveTryBack(id, in: app, as: WriteOperation(system))
    }

    func giveTryBack(_ id: String, in app: AppName, as operation: WriteOperation) async throws {
        // Idempotent, or an attacker who guesses would gain tries by breaking the connection.
        try await write(
            """
            WITH first AS (
                INSERT INTO operation (id, done_at) VALUES ($3::uuid, $4) ON CONFLICT (id) DO NOTHING RETURNING 1)
            UPDATE code SET tries_left = tries_left + 1 WHERE app = $1 AND id = $2 AND EXISTS (SELECT 1 FROM first)
            """, [app.text, id, operation.id, operation.at.milliseconds])
    }
}

extension PostgresStore {
    package func account(forResetToken hash: [UInt8], in app: AppName, at now: Date) async throws -> AccountID? {
        try await read(
            """
            SELECT account_id FROM reset_token
            WHERE app = $1 AND hash = $2 AND expires_at > $3 AND account_id IS NOT NULL
            """, [app.text, hash, now.milliseconds]
        ).value { try $0.value(AccountID.init) }
    }
}

extension PendingCode {
    /// The statement that stores the code and voids the recipient's earlier one.
    var insertion: PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO code (app, recipient, id, code_hash, expires_at, tries_left) VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (app, recipient) DO UPDATE SET
                id = excluded.id, code_hash = excluded.code_hash, expires_at = excluded.expires_at,
                tries_left = excluded.tries_left, tried_by = NULL
            """, [app.text, recipient, id, codeHash, expiresAt.milliseconds, triesLeft])
    }
}

extension PendingReset {
    /// The statement that stores the token and voids the recipient's earlier one.
    var insertion: PostgresStatement {
        // For an account that was deleted meanwhile the token is stored without one, as for an unknown identifier; an
        // existing account is locked until the write.
        PostgresStatement(
            """
            INSERT INTO reset_token (app, recipient, hash, account_id, expires_at)
            VALUES ($1, $2, $3, (SELECT id FROM account WHERE app = $1 AND id = $4 FOR KEY SHARE), $5)
            ON CONFLICT (app, recipient) DO UPDATE SET
                hash = excluded.hash, account_id = excluded.account_id, expires_at = excluded.expires_at
            """, [app.text, recipient, hash, account?.text, expiresAt.milliseconds])
    }
}
