package import Foundation
import OstiaryEngine
import OstiaryPostgres

extension PostgresStore {
    /// Deletes in short transactions of some rows, found by an index. Concurrent sweeps of several nodes share
    /// the work: locked rows are left to the node that holds them.
    package func sweep(at now: Date, endedBefore horizon: Date, auditBefore auditHorizon: Date) async throws -> Int {
        try await keepAuditMonths(at: now)
        // No repetition comes this late, even with skewed clocks. Internal rows, and so not counted.
        _ = try await sweep(Self.sweepingRows(of: "operation", by: "done_at"), over: now.milliseconds - 86_400_000)
        _ = try await sweep(
            Self.sweepingRows(of: "statistic", by: "starts_at"), over: auditHorizon.milliseconds - 1)
        _ = try await sweep(
            Self.sweepingRows(of: "active_accounts", by: "starts_on"),
            over: Int64(CalendarDay(containing: auditHorizon).number - 1))
        let deleted: Int =
            try await sweep(Self.sweepingRows(of: "code", by: "expires_at"), over: now.milliseconds)
            + sweep(Self.sweepingRows(of: "reset_token", by: "expires_at"), over: now.milliseconds)
            + sweep(
                Self.sweepingRows(of: "ticket", by: "expires_at"),
                over: now.milliseconds - SingleUseRecord.keptSeconds * 1000)
            + sweep(Self.sweepingRows(of: "known_network", by: "expires_at"), over: now.milliseconds)
            + sweep(Self.sweepingRows(of: "device", by: "expires_at"), over: now.milliseconds)
            + sweep(Self.sweepingRows(of: "idempotent_request", by: "expires_at"), over: now.milliseconds)
            + sweep(Self.sweepingRows(of: "app_key", by: "kept_until"), over: now.milliseconds)
            + sweep(Self.sweepingRows(of: "sign_in_history", by: "expires_at"), over: now.milliseconds)
            // A bucket records the operation that counted last, which may still be repeated.
            + sweep(Self.sweepingAttempts, over: now.milliseconds - 300_000)
            + sweepMessageRecords(at: now)
            + sweep(Self.sweepingSessions, over: horizon.milliseconds - 1)
            + sweep(
                Self.sweepingRows(of: "event_delivery", by: "finished_at"),
                over: now.milliseconds - Int64(EventDelivery.retentionSeconds * 1000))
            + dropAuditMonths(before: auditHorizon)
            + sweep(
                Self.sweepingRows(of: "audit_event_default", by: "happened_at"), over: auditHorizon.milliseconds - 1)
        try await sweepAssessments(at: now)
        return deleted
    }

    /// Deletes the details of assessments that are too old. The events are found by the index of their times.
    private func sweepAssessments(at now: Date) async throws {
        try await assessmentSweep.run(at: now) { start, horizon in
            // The horizon outside: a range with two ends is estimated to be small, and would be sorted without the index.
            let end = try await read(
                """
                SELECT max(happened_at) FROM (
                    SELECT happened_at FROM audit_event WHERE happened_at > $1
                    ORDER BY happened_at LIMIT \(AssessmentSweep.partSize)) AS part
                WHERE happened_at < $2
                """, [start, horizon]
            ).value { try $0.optionalInteger() }
            guard let end = end ?? nil else { return nil }
            let numbers = try await read(
                """
                SELECT number FROM audit_event
                WHERE happened_at > $1 AND happened_at <= $2 AND \(AssessmentSweep.condition)
                """, [start, end]
            ).values { try $0.integer() }
            return AssessmentSweep.Part(end: end, numbers: numbers)
        } delete: { numbers, start, end in
            // The times limit the update to the months of the events.
            try await write(
                """
                UPDATE audit_event SET details = NULL
                WHERE number = ANY ($1) AND happened_at > $2 AND happened_at <= $3
                """, [numbers, start, end])
        }
    }

    /// Deletes contents that are of no use any more, which are not counted, and old records.
    private func sweepMessageRecords(at now: Date) async throws -> Int {
        _ = try await sweep(Self.sweepingContents, over: now.milliseconds)
        let horizon = now.addingTimeInterval(-Double(MessageRecord.retentionSeconds))
        return try await sweep(
            Self.sweepingRows(of: "message_record", by: "created_at"), over: horizon.milliseconds - 1)
    }

    /// - Parameter batch: Deletes some of the rows whose time is from `$2` to `$1`, and returns the number of rows
    ///   found, the number deleted, and the last time among them.
    private func sweep(_ batch: String, over horizon: Int64) async throws -> Int {
        var deleted = 0
        // Each batch begins where the last one ended: deleted rows stay in the index until no snapshot can see them.
        var position = Int64.min
        var pace = SweepPace()
        while true {
            let (found, gone, last) =
                try await write(batch, [horizon, position]).value { row in
                    (try row.integer(), try row.integer(), try row.optionalInteger())
                } ?? (0, 0, nil)
            deleted += Int(gone)
            guard found == SweepPace.batchSize, let last else { return deleted }
            position = last
            try await pace.wait()
        }
    }

    /// Checks the conditions of a write, without writing.
    package func checkReadiness() async throws {
        let isWritable = try await read(
            "SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off'"
        ).value { try $0.bool() }
        guard isWritable == true else { throw StoreError.postgres(.unreachable(.readOnly)) }
        guard try await hasCurrentSchema else { throw StoreError.damaged(detail: "the schema is not this version's") }
        try await checkCopy()
    }

    // Keys go through arrays, so that there is no join for which the planner could choose a sequential scan.

    private static func sweepingRows(of table: String, by time: String) -> String {
        """
        WITH due AS MATERIALIZED (
            SELECT ctid AS place, \(time) AS time FROM \(table)
            WHERE \(time) <= $1 AND \(time) >= $2 ORDER BY \(time) LIMIT \(SweepPace.batchSize)
            FOR UPDATE SKIP LOCKED
        ), gone AS (
            DELETE FROM \(table) WHERE ctid = ANY (ARRAY (SELECT place FROM due)) RETURNING 1
        )
        SELECT (SELECT count(*) FROM due), (SELECT count(*) FROM gone), (SELECT max(time) FROM due)
        """
    }

    private static let sweepingContents = """
        WITH due AS MATERIALIZED (
            SELECT ctid AS place, useful_until AS time FROM message_record
            WHERE sealed IS NOT NULL AND useful_until <= $1 AND useful_until >= $2
            ORDER BY useful_until LIMIT \(SweepPace.batchSize)
            FOR UPDATE SKIP LOCKED
        ), gone AS (
            UPDATE message_record SET sealed = NULL WHERE ctid = ANY (ARRAY (SELECT place FROM due)) RETURNING 1
        )
        SELECT (SELECT count(*) FROM due), (SELECT count(*) FROM gone), (SELECT max(time) FROM due)
        """

    /// Deletes ended sessions. One that has been used since is checked again later.
    private static let sweepingSessions = """
        WITH due AS MATERIALIZED (
            SELECT number, sweep_at AS time, idle_ends_at <= $1 OR COALESCE(revoked_at <= $1, FALSE) AS is_over
            FROM session
            WHERE sweep_at <= $1 AND sweep_at >= $2 ORDER BY sweep_at LIMIT \(SweepPace.batchSize)
            FOR UPDATE SKIP LOCKED
        ), gone AS (
            DELETE FROM session WHERE number = ANY (ARRAY (SELECT number FROM due WHERE is_over)) RETURNING 1
        ), postponed AS (
            UPDATE session SET sweep_at = LEAST(idle_ends_at, revoked_at)
            WHERE number = ANY (ARRAY (SELECT number FROM due WHERE NOT is_over))
        )
        SELECT (SELECT count(*) FROM due), (SELECT count(*) FROM gone), (SELECT max(time) FROM due)
        """

    private static let sweepingAttempts = """
        WITH due AS MATERIALIZED (
            SELECT name, sweep_at AS time, full_at <= $1 AS is_over FROM attempt
            WHERE sweep_at <= $1 AND sweep_at >= $2 ORDER BY sweep_at LIMIT \(SweepPace.batchSize)
            FOR UPDATE SKIP LOCKED
        ), gone AS (
            DELETE FROM attempt WHERE name = ANY (ARRAY (SELECT name FROM due WHERE is_over)) RETURNING 1
        ), postponed AS (
            UPDATE attempt SET sweep_at = full_at WHERE name = ANY (ARRAY (SELECT name FROM due WHERE NOT is_over))
        )
        SELECT (SELECT count(*) FROM due), (SELECT count(*) FROM gone), (SELECT max(time) FROM due)
        """
}
