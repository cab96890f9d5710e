package import Foundation
import GRDB
package import OstiaryEngine
import Synchronization

/// A store with measurements for metrics.
package protocol ObservedStore: Store {
    /// The durations of durable transactions.
    var commitDurations: DurationHistogram { get }
    /// The number of connections to the database that are in use.
    var connectionsInUse: Int { get }
    /// Returns the number of sessions that are alive at `now`; an estimate where counting would read a large table.
    func activeSessionCount(at now: Date) async throws -> Int
}

extension SQLiteStore: ObservedStore {
    package var connectionsInUse: Int { reads.load(ordering: .relaxed) + (writer.isCommitting ? 1 : 0) }

    package func activeSessionCount(at now: Date) async throws -> Int {
        try await read { db in
            Int(
                try db.row(
                    "SELECT count(*) FROM session WHERE revoked_at IS NULL AND idle_ends_at > ?1", [now.milliseconds],
                    read: { try $0.integer() }) ?? 0)
        }
    }
}

extension PostgresStore: ObservedStore {
    package var connectionsInUse: Int { connectionCounts.busy }

    /// A sample of pages, some hundred thousand rows at most.
    package func activeSessionCount(at now: Date) async throws -> Int {
        let total =
            try await read("SELECT reltuples::bigint FROM pg_class WHERE oid = 'session'::regclass")
            .value { try $0.integer() } ?? 0
        // The parts of a million of the table that are read.
        let share = total <= Self.sampledSessions ? 1_000_000 : 1_000_000 * Self.sampledSessions / total
        let found =
            try await read(
                """
                SELECT count(*) FROM session TABLESAMPLE SYSTEM ($2::float8 / 10000)
                WHERE revoked_at IS NULL AND idle_ends_at > $1
                """, [now.milliseconds, share]
            ).value { try $0.integer() } ?? 0
        return Int(found * 1_000_000 / max(1, share))
    }

    private static let sampledSessions: Int64 = 100_000
}
