public import Foundation

/// Deletes expired records.
public protocol StoreMaintenance: Sendable {
    /// Deletes codes, reset tokens, single-use records and attempt counters that have expired at `now`, sessions that
    /// ended before `horizon`, and audit events and statistics from before `auditHorizon`. A store that repeats commits
    /// may keep counters some minutes longer.
    ///
    /// - Returns: The number of rows deleted, without those of statistics.
    func sweep(at now: Date, endedBefore horizon: Date, auditBefore auditHorizon: Date) async throws -> Int

    /// Checks that the store is usable.
    ///
    /// - Throws: If the store cannot be read or written, or its schema is not the version this program knows.
    func checkReadiness() async throws
}
