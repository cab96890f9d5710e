import Foundation
import OstiaryEngine
import Synchronization

/// The progress of the deletion of assessments that are too old, in the order of the times of their audit events.
///
/// The first sweep of a process examines every old event, because no index tells which ones have an assessment. Later sweeps
/// continue after the last event that was examined.
final class AssessmentSweep: Sendable {
    /// Consecutive events that were examined.
    struct Part: Hashable, Sendable {
        /// The time of the last event.
        var end: Int64
        /// The numbers of the events with an assessment.
        var numbers: [Int64]
    }

    /// The number of events that are examined at a time.
    static let partSize = 1000

    /// The condition of an event with an assessment, in both databases.
    static let condition = """
        details IS NOT NULL AND (details LIKE '%"risk_signals":%' OR details LIKE '%"country":%')
        """

    private let position = Mutex<Int64>(.min)

    /// Deletes the assessments that are too old, in batches of ``SweepPace``. After an error the next sweep continues with the part
    /// that failed.
    ///
    /// - Parameters:
    ///   - nextPart: Returns the events after the first time and before the second; nil if there are none.
    ///   - delete: Deletes the details of the events with these numbers, which are after the first time and not after the second.
    func run(
        at now: Date, nextPart: (_ start: Int64, _ horizon: Int64) async throws -> Part?,
        delete: (_ numbers: [Int64], _ start: Int64, _ end: Int64) async throws -> Void
    ) async throws {
        let horizon = now.addingTimeInterval(-StoredSignInHistory.retentionSeconds).milliseconds
        var start = position.withLock(\.self)
        var pace = SweepPace()
        while let part = try await nextPart(start, horizon) {
            var numbers = part.numbers[...]
            while !numbers.isEmpty {
                try await delete(Array(numbers.prefix(SweepPace.batchSize)), start, part.end)
                numbers = numbers.dropFirst(SweepPace.batchSize)
                if !numbers.isEmpty { try await pace.wait() }
            }
            start = part.end
            position.withLock { $0 = max($0, part.end) }
            try await pace.wait()
        }
    }
}
