package import Foundation
package import Logging
package import OstiaryPostgres

/// Observes a PostgreSQL server, whatever tables it has. Changes nothing.
package struct PostgresProbe: Sendable {
    private let pool: PostgresPool

    package init(_ settings: PostgresSettings, log: Logger) { pool = PostgresPool(settings, log: log) }

    package func close() async { await pool.close() }

    /// - Parameter now: Returns the time of this machine.
    package func observe(now: @Sendable () -> Date) async throws(PostgresError) -> (PostgresFacts, ClockReading) {
        let start = now()
        let rows = try await pool.read(
            """
            SELECT current_setting('fsync') = 'on', current_setting('full_page_writes') = 'on',
                current_setting('synchronous_commit'), current_setting('synchronous_standby_names'),
                (SELECT count(*) FROM pg_catalog.pg_stat_replication), pg_catalog.pg_is_in_recovery(),
                (extract(epoch FROM clock_timestamp()) * 1000)::bigint
            """)
        let end = now()
        guard let row = rows.first, let milliseconds = try row.integer(6) else { throw .mismatch(column: 0) }
        let facts = PostgresFacts(
            fsync: try row.bool(0) ?? false, fullPageWrites: try row.bool(1) ?? false,
            synchronousCommit: try row.text(2) ?? "", synchronousStandbyNames: try row.text(3) ?? "",
            standbys: Int(try row.integer(4) ?? 0), isStandby: try row.bool(5) ?? false)
        let duration = end.timeIntervalSince(start)
        let middle = start.addingTimeInterval(duration / 2)
        let reading = ClockReading(
            source: .database, offsetSeconds: Double(milliseconds) / 1000 - middle.timeIntervalSince1970,
            uncertaintySeconds: abs(duration) / 2)
        return (facts, reading)
    }

    /// Measures commits that write to the log alone, to no table: a logical message, which no subscriber reads.
    ///
    /// Source: PostgreSQL documentation, 9.28.6.
    package func commits(count: Int, budget: Duration) async throws(PostgresError) -> CommitDurations {
        var milliseconds: [Double] = []
        let end = ContinuousClock.now + budget
        while milliseconds.count < count, ContinuousClock.now < end {
            let start = ContinuousClock.now
            _ = try await pool.write("SELECT pg_catalog.pg_logical_emit_message(true, 'ostiary', '')::text")
            milliseconds.append((ContinuousClock.now - start) / .milliseconds(1))
        }
        return CommitDurations(method: .commits, milliseconds: milliseconds)
    }
}
