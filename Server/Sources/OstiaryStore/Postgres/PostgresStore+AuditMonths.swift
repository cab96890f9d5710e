import Foundation
import OstiaryEngine
import OstiaryPostgres

extension PostgresStore {
    /// Creates the tables of this month's audit events and the next two months', where they are missing.
    ///
    /// Called when the store is opened, and in every sweep. Does nothing where creating a table would block other
    /// transactions: those events go to the default partition, where they are read and swept like any other.
    func keepAuditMonths(at now: Date) async throws {
        let first = AuditMonth(containing: now)
        try await keepAuditMonths((0...2).map { AuditMonth(index: first.index + $0) })
    }

    func keepAuditMonths(_ months: [AuditMonth]) async throws {
        let present = try await auditMonths()
        for month in months where !present.contains(month) { try await make(month) }
    }

    /// Returns the months that have tables of their own.
    func auditMonths() async throws -> [AuditMonth] {
        try await read(
            """
            SELECT c.relname::text FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            WHERE i.inhparent = 'audit_event'::regclass ORDER BY c.relname
            """
        ).values { try $0.text() }.compactMap { AuditMonth(table: $0) }
    }

    private func make(_ month: AuditMonth) async throws {
        try await alteringAuditMonths { tx in
            let state = try await tx.run([
                PostgresStatement("SELECT to_regclass($1) IS NOT NULL", [month.table]),
                PostgresStatement(
                    "SELECT 1 FROM audit_event_default WHERE happened_at >= $1 AND happened_at < $2 LIMIT 1",
                    [month.start, month.end]),
            ])
            // A month with events in the default partition stays there.
            guard try state[0].value({ try !$0.bool() }) == true, state[1].isEmpty else { return }
            try await tx.run([
                PostgresStatement(
                    "CREATE TABLE \(month.table) (LIKE audit_event INCLUDING DEFAULTS INCLUDING CONSTRAINTS)"),
                // Unlike CREATE TABLE … PARTITION OF, this does not block concurrent appends.
                PostgresStatement(
                    """
                    ALTER TABLE audit_event ATTACH PARTITION \(month.table)
                    FOR VALUES FROM (\(month.start)) TO (\(month.end))
                    """),
            ])
        }
    }

    /// Drops the months that ended before `horizon`. The events of the month of `horizon` stay until that month has
    /// ended.
    ///
    /// - Returns: The number of dropped events, counting at most the first hundred thousand of a month.
    func dropAuditMonths(before horizon: Date) async throws -> Int {
        var dropped = 0
        for month in try await auditMonths() where month.end <= horizon.milliseconds {
            let events =
                try await read(
                    "SELECT count(*) FROM (SELECT FROM \(month.table) LIMIT 100000) AS counted"
                ).value { Int(try $0.integer()) } ?? 0
            if try await alteringAuditMonths({ try await $0.run("DROP TABLE IF EXISTS \(month.table)") }) {
                dropped += events
            }
        }
        return dropped
    }

    /// Runs `body` in a transaction, one node at a time, unless it would have to wait for locks or takes long.
    ///
    /// - Returns: `true` if it ran.
    @discardableResult
    private func alteringAuditMonths(
        _ body: @Sendable (PostgresTransaction) async throws -> Void
    ) async throws -> Bool {
        do {
            try await transaction { tx in
                try await tx.run([
                    PostgresStatement("SELECT pg_advisory_xact_lock(\(Self.auditMonthsLock))"),
                    // Other transactions queue behind one that waits for such a lock; and attaching scans the default
                    // partition.
                    PostgresStatement("SELECT set_config('lock_timeout', '300', TRUE)"),
                    PostgresStatement("SELECT set_config('statement_timeout', '1000', TRUE)"),
                ])
                try await body(tx)
            }
            return true
        } catch StoreError.postgres(.refused) {
            // Locked, over the time limit, owned by another role, or blocked by a partition that an operator added:
            // events without a month's table go to the default partition, and the next sweep tries again.
            return false
        }
    }

    /// The advisory lock's key, "OSTYmnth".
    private static let auditMonthsLock: Int64 = 0x4F53_5459_6D6E_7468
}
