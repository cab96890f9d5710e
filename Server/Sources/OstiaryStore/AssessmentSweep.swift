import Foundation
import OstiaryEngine
import Synchronization

/// The times of the audit events whose assessments a sweep deletes next. The first sweep of a process looks back a month, and
/// later ones continue where it ended, in parts that are short transactions.
final class AssessmentSweep: Sendable {
    private let end = Mutex<Int64>(.min)
    private static let partMilliseconds: Int64 = 6 * 3_600_000
    private static let lookBackMilliseconds: Int64 = 30 * 86_400_000

    /// Calls `body` with consecutive ranges of times, from the first of them up to the second.
    func run(at now: Date, _ body: (Int64, Int64) async throws -> Void) async throws {
        let horizon = now.addingTimeInterval(-StoredSignInHistory.retentionSeconds).milliseconds
        var start = max(end.withLock { $0 }, horizon - Self.lookBackMilliseconds)
        while start < horizon {
            let next = min(horizon, start + Self.partMilliseconds)
            try await body(start, next)
            start = next
        }
        end.withLock { $0 = max($0, horizon) }
    }

    /// The condition of an event with an assessment, in both databases.
    static let condition = """
        details IS NOT NULL AND (details LIKE '%"risk_signals":%' OR details LIKE '%"country":%')
        """
}
