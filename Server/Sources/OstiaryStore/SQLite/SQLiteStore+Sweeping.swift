package import Foundation
import GRDB
import OstiaryEngine

extension SQLiteStore {
    /// Finds a chunk of expired rows on a reading connection and deletes them by key, so that the search never blocks
    /// the writer. Every deletion repeats the condition, so that a row renewed in between stays.
    package func sweep(at now: Date, endedBefore horizon: Date, auditBefore auditHorizon: Date) async throws -> Int {
        let now = now.milliseconds
        let horizon = horizon.milliseconds
        let auditHorizon = auditHorizon.milliseconds
        try await sweepStatistics(before: Date(milliseconds: auditHorizon))
        try await sweepAssessments(at: Date(milliseconds: now))
        return try await sweep(
            "SELECT rowid FROM code WHERE rowid > ?1 AND expires_at <= ?2 ORDER BY rowid LIMIT ?3",
            deleting: "DELETE FROM code WHERE rowid = ?1 AND expires_at <= ?2", over: now)
            + sweep(
                "SELECT rowid FROM reset_token WHERE rowid > ?1 AND expires_at <= ?2 ORDER BY rowid LIMIT ?3",
                deleting: "DELETE FROM reset_token WHERE rowid = ?1 AND expires_at <= ?2", over: now)
            + sweep(
                "SELECT rowid FROM ticket WHERE rowid > ?1 AND expires_at <= ?2 ORDER BY rowid LIMIT ?3",
                deleting: "DELETE FROM ticket WHERE rowid = ?1 AND expires_at <= ?2", over: now)
            + sweep(
                "SELECT name FROM attempt WHERE name > ?1 AND full_at <= ?2 ORDER BY name LIMIT ?3",
                from: "".databaseValue,
                deleting: "DELETE FROM attempt WHERE name = ?1 AND full_at <= ?2", over: now)
            + sweep(
                "SELECT rowid FROM known_network WHERE rowid > ?1 AND expires_at <= ?2 ORDER BY rowid LIMIT ?3",
                deleting: "DELETE FROM known_network WHERE rowid = ?1 AND expires_at <= ?2", over: now)
            + sweep(
                "SELECT number FROM device WHERE number > ?1 AND expires_at <= ?2 ORDER BY number LIMIT ?3",
                deleting: "DELETE FROM device WHERE number = ?1 AND expires_at <= ?2", over: now)
            + sweep(
                "SELECT rowid FROM idempotent_request WHERE rowid > ?1 AND expires_at <= ?2 ORDER BY rowid LIMIT ?3",
                deleting: "DELETE FROM idempotent_request WHERE rowid = ?1 AND expires_at <= ?2", over: now)
            + sweep(
                "SELECT rowid FROM app_key WHERE rowid > ?1 AND kept_until <= ?2 ORDER BY rowid LIMIT ?3",
                deleting: "DELETE FROM app_key WHERE rowid = ?1 AND kept_until <= ?2", over: now)
            + sweep(
                """
                SELECT number FROM session
                WHERE number > ?1 AND (idle_ends_at < ?2 OR revoked_at < ?2) ORDER BY number LIMIT ?3
                """,
                deleting: "DELETE FROM session WHERE number = ?1 AND (idle_ends_at < ?2 OR revoked_at < ?2)",
                over: horizon)
            + sweep(
                """
                SELECT number FROM event_delivery
                WHERE number > ?1 AND finished_at <= ?2 ORDER BY number LIMIT ?3
                """,
                deleting: "DELETE FROM event_delivery WHERE number = ?1 AND finished_at <= ?2",
                over: now - Int64(EventDelivery.retentionSeconds * 1000))
            + sweep(
                "SELECT rowid FROM sign_in_history WHERE rowid > ?1 AND expires_at <= ?2 ORDER BY rowid LIMIT ?3",
                deleting: "DELETE FROM sign_in_history WHERE rowid = ?1 AND expires_at <= ?2", over: now)
            + sweepAudit(before: auditHorizon)
            + sweepMessageRecords(at: now)
    }

    /// Deletes old statistics. Their times are indexed, so that the search may run on the writer.
    private func sweepStatistics(before horizon: Date) async throws {
        try await write { db in
            try db.run("DELETE FROM statistic WHERE starts_at < ?1", [horizon.milliseconds])
            try db.run("DELETE FROM active_accounts WHERE starts_on < ?1", [CalendarDay(containing: horizon).number])
        }
    }

    /// Deletes the details of assessments that are too old. Their times are indexed.
    private func sweepAssessments(at now: Date) async throws {
        try await assessmentSweep.run(at: now) { start, end in
            _ = try await write { db in
                try db.run(
                    """
                    UPDATE audit_event SET details = NULL
                    WHERE happened_at >= ?1 AND happened_at < ?2 AND \(AssessmentSweep.condition)
                    """, [start, end])
            }
        }
    }

    /// Deletes old audit events. Their times are indexed, so that the search may run on the writer.
    private func sweepAudit(before horizon: Int64) async throws -> Int {
        var deleted = 0
        var pace = SweepPace()
        while true {
            let chunk = try await write { db in
                try db.run(
                    """
                    DELETE FROM audit_event WHERE number IN (
                        SELECT number FROM audit_event WHERE happened_at < ?1 ORDER BY happened_at LIMIT ?2)
                    """, [horizon, SweepPace.batchSize])
            }
            guard chunk > 0 else { return deleted }
            deleted += chunk
            try await pace.wait()
        }
    }

    /// Deletes contents that are of no use any more, and old records, both by an index.
    private func sweepMessageRecords(at now: Int64) async throws -> Int {
        var deleted = 0
        var pace = SweepPace()
        while true {
            let chunk = try await write { db in
                try db.run(
                    "UPDATE message_record SET sealed = NULL WHERE sealed IS NOT NULL AND useful_until <= ?1", [now])
                return try db.run(
                    """
                    DELETE FROM message_record WHERE id IN (
                        SELECT id FROM message_record WHERE created_at < ?1 ORDER BY created_at LIMIT ?2)
                    """, [now - Int64(MessageRecord.retentionSeconds) * 1000, SweepPace.batchSize])
            }
            guard chunk > 0 else { return deleted }
            deleted += chunk
            try await pace.wait()
        }
    }

    /// - Parameters:
    ///   - search: Returns the keys after `?1` of at most `?3` rows that have expired at `?2`, in order.
    ///   - deletion: Deletes the row with the key `?1` if it has still expired at `?2`.
    private func sweep(
        _ search: String, from start: DatabaseValue = 0.databaseValue, deleting deletion: String, over horizon: Int64
    ) async throws -> Int {
        let chunk = SweepPace.batchSize
        var deleted = 0
        var last = start
        var pace = SweepPace()
        while true {
            let keys = try await read { [last] db in
                try DatabaseValue.fetchAll(db.cachedStatement(sql: search), arguments: [last, horizon, chunk])
            }
            guard let lastKey = keys.last else { return deleted }
            last = lastKey
            deleted += try await write { db in
                try keys.reduce(0) { try $0 + db.run(deletion, [$1, horizon]) }
            }
            if keys.count < chunk { return deleted }
            try await pace.wait()
        }
    }

    package func checkReadiness() async throws {
        try checkFile()
        let isCurrent = try await read { try Schema.isCurrent($0) }
        guard isCurrent else { throw StoreError.damaged(detail: "the schema is not this version's") }
        try await checkWrites()
    }
}
