package import Foundation
package import OstiaryEngine
import OstiaryPostgres

extension PostgresStore {
    package func enqueue(
        _ message: QueuedMessage, within buckets: [AttemptBucket], keeping secret: PendingSecret?, at now: Date
    ) async throws -> AttemptRefusal? {
        try await enqueue(message, within: buckets, keeping: secret, at: now, as: WriteOperation(system))
    }

    func enqueue(
        _ message: QueuedMessage, within buckets: [AttemptBucket], keeping secret: PendingSecret?, at now: Date,
        as operation: WriteOperation
    ) async throws -> AttemptRefusal? {
        let keeping: [PostgresStatement] =
            switch secret {
            case .code(let code): [code.insertion]
            case .resetToken(let token): [token.insertion]
            case nil: []
            }
        let statements = keeping + [message.insertion]
        guard buckets.isEmpty else { return try await count(buckets, at: now, and: statements, as: operation) }
        try await transaction { tx in
            // No bucket records the operation, so that a repetition would queue the message again.
            guard try await tx.begin(operation) == .first else { return }
            try await tx.commit(after: statements)
        }
        return nil
    }

    package func claim(at now: Date, until claimedUntil: Date, limit: Int) async throws -> [QueuedMessage] {
        try await claim(at: now, until: claimedUntil, limit: limit, as: WriteOperation(system))
    }

    func claim(
        at now: Date, until claimedUntil: Date, limit: Int, as operation: WriteOperation
    ) async throws -> [QueuedMessage] {
        try await write(
            """
            WITH due AS MATERIALIZED (
                SELECT number FROM message
                WHERE due_at <= $1 OR claimed_by = $4::uuid
                ORDER BY created_at, number LIMIT $3
                FOR UPDATE SKIP LOCKED
            ), claimed AS (
                UPDATE message SET
                    attempts = attempts + CASE WHEN claimed_by = $4::uuid THEN 0 ELSE 1 END,
                    due_at = $2, claimed_by = $4::uuid
                WHERE number = ANY (ARRAY (SELECT number FROM due))
                RETURNING number, id, app, created_at, attempts, sealed
            )
            SELECT id, app, created_at, attempts, sealed FROM claimed ORDER BY created_at, number
            """, [now.milliseconds, claimedUntil.milliseconds, max(0, limit), operation.id]
        ).values { row in
            QueuedMessage(
                id: try row.text(), app: try row.value(AppName.init), createdAt: try row.date(),
                attempts: Int(try row.integer()), sealed: try row.bytes())
        }
    }

    package func remove(_ id: String) async throws {
        try await write("DELETE FROM message WHERE id = $1", [id])
    }

    package func postpone(_ id: String, until: Date, error: String?) async throws {
        try await write(
            "UPDATE message SET due_at = $1, last_error = COALESCE($3, last_error) WHERE id = $2",
            [until.milliseconds, id, error])
    }

    package func count() async throws -> Int {
        Int(try await read("SELECT count(*) FROM message").value { try $0.integer() } ?? 0)
    }
}

extension QueuedMessage {
    var insertion: PostgresStatement {
        PostgresStatement(
            "INSERT INTO message (id, app, created_at, attempts, due_at, sealed) VALUES ($1, $2, $3, $4, $3, $5)",
            [id, app.text, createdAt.milliseconds, attempts, sealed])
    }
}
