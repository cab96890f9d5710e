package import Foundation
import GRDB
package import OstiaryEngine

extension SQLiteStore {
    package func claim(_ request: IdempotentRequest, at now: Date) async throws -> IdempotencyClaim {
        try await write { db in
            try db.run(
                """
                INSERT INTO idempotent_request (hash, body_hash, claim, claimed_until, expires_at)
                VALUES (?1, ?2, ?3, ?4, ?5)
                ON CONFLICT (hash) DO UPDATE SET
                    body_hash = excluded.body_hash, claim = excluded.claim, claimed_until = excluded.claimed_until,
                    expires_at = excluded.expires_at, answer = NULL
                WHERE idempotent_request.expires_at <= ?6
                    OR (idempotent_request.answer IS NULL AND idempotent_request.claimed_until <= ?6)
                """,
                [
                    Data(request.hash), Data(request.bodyHash), request.claim, request.claimedUntil.milliseconds,
                    request.expiresAt.milliseconds, now.milliseconds,
                ])
            let claim = try db.row(
                "SELECT \(RowReader.idempotentRequestColumns) FROM idempotent_request WHERE hash = ?1",
                [Data(request.hash)]
            ) { try $0.claim(of: request) }
            return claim ?? .claimed
        }
    }

    package func complete(_ request: IdempotentRequest, with sealed: [UInt8]) async throws {
        _ = try await write { db in
            try db.run(
                "UPDATE idempotent_request SET answer = ?3 WHERE hash = ?1 AND claim = ?2",
                [Data(request.hash), request.claim, Data(sealed)])
        }
    }

    package func release(_ request: IdempotentRequest) async throws {
        _ = try await write { db in
            try db.run(
                "DELETE FROM idempotent_request WHERE hash = ?1 AND claim = ?2 AND answer IS NULL",
                [Data(request.hash), request.claim])
        }
    }
}
