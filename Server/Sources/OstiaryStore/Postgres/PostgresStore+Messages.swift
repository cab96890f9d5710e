package import Foundation
package import OstiaryEngine
import OstiaryPostgres

extension PostgresStore {
    /// One statement, and idempotent: the message is in the queue once.
    package func settle(_ record: MessageRecord) async throws {
        let result = record.result
        try await write(
            """
            WITH gone AS (DELETE FROM message WHERE id = $1 RETURNING id, app), kept AS (
                INSERT INTO message_record (\(PostgresReader.messageRecordColumns), sealed)
                SELECT id, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13 FROM gone
                ON CONFLICT (id) DO NOTHING
            )
            INSERT INTO statistic (app, starts_at, series, operation, method, factor, outcome, slot, count)
            SELECT app, $14, $15, '', $16, '', $7, $17, 1 FROM gone
            ON CONFLICT (app, starts_at, series, operation, method, factor, outcome, slot)
            DO UPDATE SET count = statistic.count + 1
            """,
            [
                record.id, record.app.text, record.description?.channel.rawValue, record.description?.kind,
                record.description?.recipient, record.description?.recipientHash, record.outcome.rawValue,
                record.attempts, record.lastError, record.createdAt.milliseconds, record.settledAt.milliseconds,
                record.usefulUntil.milliseconds, record.sealed,
                StatisticsInterval.hour.start(of: result.at).milliseconds, HourlyCount.Series.message.rawValue,
                result.channel, Self.slot(of: record.id),
            ])
    }

    package func waitingMessages(
        in apps: [AppName], after position: MessagePosition?, limit: Int
    ) async throws -> [WaitingMessage] {
        // The queue is bounded, and so has no index by app.
        let start = position ?? .newest
        return try await read(
            """
            SELECT \(PostgresReader.waitingMessageColumns) FROM message
            WHERE app = ANY ($1) AND (created_at, id) < ($2, $3) ORDER BY created_at DESC, id DESC LIMIT $4
            """, [apps.map(\.text), start.createdAt.milliseconds, start.id, max(0, limit)]
        ).values { try $0.waitingMessage() }
    }

    package func waitingMessage(_ id: String) async throws -> WaitingMessage? {
        try await read("SELECT \(PostgresReader.waitingMessageColumns) FROM message WHERE id = $1", [id])
            .value { try $0.waitingMessage() }
    }

    package func messageRecords(
        in apps: [AppName], outcome: MessageOutcome?, after position: MessagePosition?, limit: Int
    ) async throws -> [MessageRecord] {
        // Sent messages are most of all, so that they need no index; the one of failed ones needs its condition.
        let condition = outcome.map { $0 == .failed ? "AND outcome = 'failed'" : "AND outcome = 'sent'" } ?? ""
        let start = position ?? .newest
        return try await read(
            """
            SELECT \(PostgresReader.messageRecordColumns)
            FROM unnest($1::text[]) AS of_app, LATERAL (
                SELECT \(PostgresReader.messageRecordColumns) FROM message_record
                WHERE app = of_app AND (created_at, id) < ($2, $3) \(condition)
                ORDER BY created_at DESC, id DESC LIMIT $4) AS page
            ORDER BY created_at DESC, id DESC LIMIT $4
            """, [apps.map(\.text), start.createdAt.milliseconds, start.id, max(0, limit)]
        ).values { try $0.messageRecord() }
    }

    package func messageRecords(
        to recipients: [[UInt8]], in app: AppName, after position: MessagePosition?, limit: Int
    ) async throws -> [MessageRecord] {
        let start = position ?? .newest
        var found: [MessageRecord] = []
        for recipient in recipients {
            found += try await read(
                """
                SELECT \(PostgresReader.messageRecordColumns) FROM message_record
                WHERE app = $1 AND recipient_hash = $2 AND (created_at, id) < ($3, $4)
                ORDER BY created_at DESC, id DESC LIMIT $5
                """, [app.text, recipient, start.createdAt.milliseconds, start.id, max(0, limit)]
            ).values { try $0.messageRecord() }
        }
        return Array(found.sorted { $0.position > $1.position }.prefix(max(0, limit)))
    }

    package func messageRecord(_ id: String) async throws -> MessageRecord? {
        try await read(
            "SELECT \(PostgresReader.messageRecordColumns), sealed FROM message_record WHERE id = $1", [id]
        ).value { row in
            var record = try row.messageRecord()
            record.sealed = try row.optionalBytes()
            return record
        }
    }

    package func requeue(_ id: String, at now: Date) async throws -> MessageRequeue {
        try await requeue(id, at: now, as: WriteOperation(system))
    }

    func requeue(_ id: String, at now: Date, as operation: WriteOperation) async throws -> MessageRequeue {
        do {
            return try await transaction { try await $0.requeue(id, at: now, as: operation) }
        } catch let refused as NotQueued {
            return refused.outcome
        }
    }
}

extension PostgresTransaction {
    /// - Throws: ``NotQueued``.
    fileprivate func requeue(_ id: String, at now: Date, as operation: WriteOperation) async throws -> MessageRequeue {
        guard case .first = try await begin(operation) else { return .queued }
        let gone = try await run(
            """
            DELETE FROM message_record WHERE id = $1 AND outcome = 'failed' AND sealed IS NOT NULL AND useful_until > $2
            RETURNING app, created_at, attempts, sealed, last_error
            """, [id, now.milliseconds])
        let message = try gone.value { row in
            (
                app: try row.text(), createdAt: try row.integer(), attempts: try row.integer(),
                sealed: try row.bytes(), lastError: try row.optionalText()
            )
        }
        guard let message else {
            let failed = try await run(
                "SELECT 1 FROM message_record WHERE id = $1 AND outcome = 'failed'", [id])
            // Rolled back, so that only a repetition of a success finds the operation.
            throw NotQueued(outcome: failed.isEmpty ? .notFailed : .expired)
        }
        try await run(
            """
            INSERT INTO message (id, app, created_at, attempts, due_at, sealed, last_error)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            [
                id, message.app, message.createdAt, message.attempts, now.milliseconds, message.sealed,
                message.lastError,
            ])
        return .queued
    }
}

/// The error that rolls back a return to the queue that is not possible.
private struct NotQueued: Error {
    var outcome: MessageRequeue
}

extension MessagePosition {
    /// The position before every message.
    static var newest: MessagePosition { MessagePosition(createdAt: .distantFuture, id: "") }
}
