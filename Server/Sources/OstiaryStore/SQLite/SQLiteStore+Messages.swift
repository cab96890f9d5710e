package import Foundation
import GRDB
package import OstiaryEngine

extension SQLiteStore {
    package func settle(_ record: MessageRecord) async throws {
        try await write { db in
            // Another worker may have settled it, if this one's claim ended meanwhile.
            guard try db.run("DELETE FROM message WHERE id = ?1", [record.id]) == 1 else { return }
            try db.run(
                """
                INSERT INTO message_record (\(RowReader.messageRecordColumns), sealed)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
                """,
                [
                    record.id, record.app.text, record.description?.channel.rawValue, record.description?.kind,
                    record.description?.recipient, record.description.map { Data($0.recipientHash) },
                    record.outcome.rawValue, record.attempts, record.lastError, record.createdAt.milliseconds,
                    record.settledAt.milliseconds, record.usefulUntil.milliseconds, record.sealed.map { Data($0) },
                ])
            try db.count(record.result, of: record.app)
        }
    }

    package func waitingMessages(
        in apps: [AppName], after position: MessagePosition?, limit: Int
    ) async throws -> [WaitingMessage] {
        try await pages(of: apps, after: position, limit: limit) { db, app, start in
            try db.rows(
                """
                SELECT \(RowReader.waitingMessageColumns) FROM message
                WHERE app = ?1 AND (created_at, id) < (?2, ?3) ORDER BY created_at DESC, id DESC LIMIT ?4
                """, [app.text, start.createdAt.milliseconds, start.id, max(0, limit)],
                read: { try $0.waitingMessage() })
        }.sorted { $0.position > $1.position }.prefixed(limit)
    }

    package func waitingMessage(_ id: String) async throws -> WaitingMessage? {
        try await read { db in
            try db.row(
                "SELECT \(RowReader.waitingMessageColumns) FROM message WHERE id = ?1", [id],
                read: { try $0.waitingMessage() })
        }
    }

    package func messageRecords(
        in apps: [AppName], outcome: MessageOutcome?, after position: MessagePosition?, limit: Int
    ) async throws -> [MessageRecord] {
        // Sent messages are most of all, so that they need no index; the one of failed ones needs its condition.
        let condition = outcome.map { $0 == .failed ? "AND outcome = 'failed'" : "AND outcome = 'sent'" } ?? ""
        return try await pages(of: apps, after: position, limit: limit) { db, app, start in
            try db.rows(
                """
                SELECT \(RowReader.messageRecordColumns) FROM message_record
                WHERE app = ?1 AND (created_at, id) < (?2, ?3) \(condition)
                ORDER BY created_at DESC, id DESC LIMIT ?4
                """, [app.text, start.createdAt.milliseconds, start.id, max(0, limit)],
                read: { try $0.messageRecord() })
        }.sorted { $0.position > $1.position }.prefixed(limit)
    }

    /// Returns the first messages of each app after a position.
    private func pages<Row: Sendable>(
        of apps: [AppName], after position: MessagePosition?, limit: Int,
        _ page: @Sendable (Database, AppName, MessagePosition) throws -> [Row]
    ) async throws -> [Row] {
        let start = position ?? .newest
        return try await read { db in try apps.flatMap { try page(db, $0, start) } }
    }

    package func messageRecords(
        to recipients: [[UInt8]], in app: AppName, after position: MessagePosition?, limit: Int
    ) async throws -> [MessageRecord] {
        let start = position ?? .newest
        return try await read { db in
            try recipients.flatMap { recipient in
                try db.rows(
                    """
                    SELECT \(RowReader.messageRecordColumns) FROM message_record
                    WHERE app = ?1 AND recipient_hash = ?2 AND (created_at, id) < (?3, ?4)
                    ORDER BY created_at DESC, id DESC LIMIT ?5
                    """, [app.text, Data(recipient), start.createdAt.milliseconds, start.id, max(0, limit)],
                    read: { try $0.messageRecord() })
            }
        }.sorted { $0.position > $1.position }.prefixed(limit)
    }

    package func messageRecord(_ id: String) async throws -> MessageRecord? {
        try await read { db in
            try db.row(
                "SELECT \(RowReader.messageRecordColumns), sealed FROM message_record WHERE id = ?1", [id]
            ) { row in
                var record = try row.messageRecord()
                record.sealed = try row.optionalBytes()
                return record
            }
        }
    }

    package func requeue(_ id: String, at now: Date) async throws -> MessageRequeue {
        try await write { db in
            let failed = try db.row(
                "SELECT 1 FROM message_record WHERE id = ?1 AND outcome = 'failed'", [id], read: { try $0.integer() })
            guard failed != nil else { return .notFailed }
            let queued = try db.run(
                """
                INSERT INTO message (id, app, created_at, attempts, due_at, sealed, last_error)
                SELECT id, app, created_at, attempts, ?2, sealed, last_error FROM message_record
                WHERE id = ?1 AND sealed IS NOT NULL AND useful_until > ?2
                """, [id, now.milliseconds])
            guard queued == 1 else { return .expired }
            try db.run("DELETE FROM message_record WHERE id = ?1", [id])
            return .queued
        }
    }
}

extension Array {
    /// The first elements, at most `limit`.
    fileprivate func prefixed(_ limit: Int) -> [Element] { Array(prefix(Swift.max(0, limit))) }
}
