package import Foundation
package import OstiaryEngine
import OstiaryPostgres

extension PostgresStore {
    /// Repeatable: a repetition finds its own claim.
    package func claim(_ request: IdempotentRequest, at now: Date) async throws -> IdempotencyClaim {
        let statements = [
            PostgresStatement(
                """
                INSERT INTO idempotent_request (hash, body_hash, claim, claimed_until, expires_at)
                VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (hash) DO UPDATE SET
                    body_hash = excluded.body_hash, claim = excluded.claim, claimed_until = excluded.claimed_until,
                    expires_at = excluded.expires_at, answer = NULL
                WHERE idempotent_request.expires_at <= $6
                    OR (idempotent_request.answer IS NULL AND idempotent_request.claimed_until <= $6)
                """,
                [
                    request.hash, request.bodyHash, request.claim, request.claimedUntil.milliseconds,
                    request.expiresAt.milliseconds, now.milliseconds,
                ]),
            // A separate statement, because it must see what a concurrent transaction has committed.
            PostgresStatement(
                "SELECT \(PostgresReader.idempotentRequestColumns) FROM idempotent_request WHERE hash = $1",
                [request.hash]),
        ]
        return try await write(statements).last?.value { try $0.claim(of: request) } ?? .claimed
    }

    package func complete(_ request: IdempotentRequest, with sealed: [UInt8]) async throws {
        try await write(
            "UPDATE idempotent_request SET answer = $3 WHERE hash = $1 AND claim = $2",
            [request.hash, request.claim, sealed])
    }

    package func release(_ request: IdempotentRequest) async throws {
        try await write(
            "DELETE FROM idempotent_request WHERE hash = $1 AND claim = $2 AND answer IS NULL",
            [request.hash, request.claim])
    }
}
