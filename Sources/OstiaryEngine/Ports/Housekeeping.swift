public import Foundation

/// Removes what nobody can use any more.
public protocol Housekeeping: Sendable {
    /// Deletes codes, reset tokens, tickets and attempt counters that are over at `now`, sessions that ended before `horizon`,
    /// and audit events from before `auditHorizon`. A store that repeats commits may keep counters some minutes longer.
    ///
    /// - Returns: How many rows went.
    func sweep(at now: Date, endedBefore horizon: Date, auditBefore auditHorizon: Date) async throws -> Int

    /// Throws if the store cannot be read or its schema is not the one this program knows.
    func checkReadiness() async throws
}
