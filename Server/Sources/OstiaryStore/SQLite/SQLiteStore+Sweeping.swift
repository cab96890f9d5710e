package import Foundation
import GRDB
import OstiaryEngine

extension SQLiteStore {
    /// Reads tables page by page on a reading connection, and deletes expired rows by key, so that the search never blocks
    /// the writer. Every deletion repeats the condition, so that a row renewed in between stays.
    package func sweep(at now: Date, endedBefore horizon: Date, auditBefore auditHorizon: Date) async throws -> Int {
        let now = now.milliseconds
        let horizon = horizon.milliseconds
        let auditHorizon = auditHorizon.milliseconds
        try await sweepStatistics(before: Date(milliseconds: auditHorizon))
        var deleted = 0
        for table in ["code", "reset_token", "known_network", "idempotent_request", "sign_in_history"] {
            deleted += try await sweep(ExpiringRows(table, expiring: "expires_at <= ?2"), over: now)
        }
        deleted += try await sweep(
            ExpiringRows("ticket", expiring: "expires_at <= ?2"), over: now - SingleUseRecord.keptSeconds * 1000)
        deleted += try await sweep(
            ExpiringRows("attempt", by: "name", after: "".databaseValue, expiring: "full_at <= ?2"), over: now)
        deleted += try await sweep(ExpiringRows("device", by: "number", expiring: "expires_at <= ?2"), over: now)
        deleted += try await sweep(ExpiringRows("app_key", expiring: "kept_until <= ?2"), over: now)
        deleted += try await sweep(
            ExpiringRows("session", by: "number", expiring: "idle_ends_at < ?2 OR revoked_at < ?2"), over: horizon)
        deleted += try await sweep(
            ExpiringRows("event_delivery", by: "number", expiring: "finished_at <= ?2"),
            over: now - Int64(EventDelivery.retentionSeconds * 1000))
        deleted += try await sweepAudit(before: auditHorizon)
        deleted += try await sweepMessageRecords(at: now)
        try await sweepAssessments(at: Date(milliseconds: now))
        return deleted
    }

    /// Deletes old statistics. Their times are indexed, so that the search may run on the writer.
    private func sweepStatistics(before horizon: Date) async throws {
        try await write { db in
            try db.run("DELETE FROM statistic WHERE starts_at < ?1", [horizon.milliseconds])
            try db.run("DELETE FROM active_accounts WHERE starts_on < ?1", [CalendarDay(containing: horizon).number])
        }
    }

    /// Deletes the details of assessments that are too old. The events are found by the index of their times.
    private func sweepAssessments(at now: Date) async throws {
        try await assessmentSweep.run(at: now) { start, horizon in
            try await read { db -> AssessmentSweep.Part? in
                let end = try db.row(
                    """
                    SELECT max(happened_at) FROM (
                        SELECT happened_at FROM audit_event WHERE happened_at > ?1 AND happened_at < ?2
                        ORDER BY happened_at LIMIT ?3)
                    """, [start, horizon, AssessmentSweep.partSize], read: { try $0.optionalInteger() })
                guard let end = end ?? nil else { return nil }
                let numbers = try db.rows(
                    """
                    SELECT number FROM audit_event
                    WHERE happened_at > ?1 AND happened_at <= ?2 AND \(AssessmentSweep.condition)
                    """, [start, end], read: { try $0.integer() })
                return AssessmentSweep.Part(end: end, numbers: numbers)
            }
        } delete: { numbers, _, _ in
            try await write { db in
                for number in numbers {
                    try db.run("UPDATE audit_event SET details = NULL WHERE number = ?1", [number])
                }
            }
        }
    }

    /// Deletes old audit events. Their times are indexed, so that the search may run on the writer.
    private func sweepAudit(before horizon: Int64) async throws -> Int {
        try await deleteInBatches { db in
            try db.run(
                """
                DELETE FROM audit_event WHERE number IN (
                    SELECT number FROM audit_event WHERE happened_at < ?1 ORDER BY happened_at LIMIT ?2)
                """, [horizon, SweepPace.batchSize])
        }
    }

    /// Deletes contents that are of no use any more, and old records, both by an index.
    private func sweepMessageRecords(at now: Int64) async throws -> Int {
        try await deleteInBatches { db in
            try db.run(
                "UPDATE message_record SET sealed = NULL WHERE sealed IS NOT NULL AND useful_until <= ?1", [now])
            return try db.run(
                """
                DELETE FROM message_record WHERE id IN (
                    SELECT id FROM message_record WHERE created_at < ?1 ORDER BY created_at LIMIT ?2)
                """, [now - Int64(MessageRecord.retentionSeconds) * 1000, SweepPace.batchSize])
        }
    }

    /// Repeats a deletion at the pace of a sweep until it finds no row.
    private func deleteInBatches(
        function: StaticString = #function, _ deletion: @escaping @Sendable (Database) throws -> Int
    ) async throws -> Int {
        var deleted = 0
        var pace = SweepPace()
        while true {
            let batch = try await write(function: function, deletion)
            guard batch > 0 else { return deleted }
            deleted += batch
            try await pace.wait()
        }
    }

    private func sweep(_ rows: ExpiringRows, over horizon: Int64) async throws -> Int {
        var deleted = 0
        var last = rows.start
        var pace = SweepPace()
        while true {
            let page = try await read { [last] db in try rows.page(in: db, after: last, expiredAt: horizon) }
            var keys = page.expired[...]
            while !keys.isEmpty {
                let batch = keys.prefix(SweepPace.batchSize)
                let done = try await write { db in try db.delete(batch, of: rows, expiredAt: horizon) }
                keys = keys.dropFirst(done.tried)
                deleted += done.deleted
                if !keys.isEmpty { try await pace.wait() }
            }
            guard let end = page.end else { return deleted }
            last = end
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

extension Database {
    /// Deletes rows until the time of a batch is over, at least one.
    fileprivate func delete(
        _ keys: ArraySlice<DatabaseValue>, of rows: ExpiringRows, expiredAt time: Int64
    ) throws -> (tried: Int, deleted: Int) {
        let end = ContinuousClock.now + SweepPace.batchTime
        var (tried, deleted) = (0, 0)
        for key in keys {
            deleted += try run(rows.deletion, [key, time])
            tried += 1
            if ContinuousClock.now >= end { break }
        }
        return (tried, deleted)
    }
}
