package import Foundation
import GRDB
package import OstiaryEngine

extension SQLiteStore {
    package func enqueue(
        _ message: QueuedMessage, within buckets: [AttemptBucket], keeping secret: PendingSecret?, at now: Date
    ) async throws -> AttemptRefusal? {
        try await write { db in
            if let refusal = try db.count(buckets, at: now) { return refusal }
            switch secret {
            case .code(let code): try db.keep(code)
            case .resetToken(let token): try db.keep(token)
            case nil: break
            }
            try db.enqueue(message)
            return nil
        }
    }

    package func claim(at now: Date, until claimedUntil: Date, limit: Int) async throws -> [QueuedMessage] {
        try await write { db in
            try db.rows(
                """
                UPDATE message SET attempts = attempts + 1, due_at = ?2
                WHERE number IN (
                    SELECT number FROM message WHERE due_at <= ?1 ORDER BY created_at, number LIMIT ?3)
                RETURNING number, id, app, created_at, attempts, sealed
                """, [now.milliseconds, claimedUntil.milliseconds, max(0, limit)]
            ) { row in
                (
                    number: try row.integer(),
                    message: QueuedMessage(
                        id: try row.text(), app: try row.value(AppName.init), createdAt: try row.date(),
                        attempts: Int(try row.integer()), sealed: try row.bytes())
                )
            }
            // RETURNING guarantees no order.
            .sorted { ($0.message.createdAt, $0.number) < ($1.message.createdAt, $1.number) }
            .map(\.message)
        }
    }

    package func remove(_ id: String) async throws {
        _ = try await write { try $0.run("DELETE FROM message WHERE id = ?1", [id]) }
    }

    package func postpone(_ id: String, until: Date, error: String?) async throws {
        _ = try await write { db in
            try db.run(
                "UPDATE message SET due_at = ?1, last_error = COALESCE(?3, last_error) WHERE id = ?2",
                [until.milliseconds, id, error])
        }
    }

    package func count() async throws -> Int {
        try await read { db in
            Int(try db.row("SELECT COUNT(*) FROM message", [], read: { try $0.integer() }) ?? 0)
        }
    }
}

extension Database {
    func enqueue(_ message: QueuedMessage) throws {
        try run(
            """
            INSERT INTO message (id, app, created_at, attempts, due_at, sealed) VALUES (?1, ?2, ?3, ?4, ?3, ?5)
            """,
            [message.id, message.app.text, message.createdAt.milliseconds, message.attempts, Data(message.sealed)])
    }
}
