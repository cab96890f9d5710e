public import Foundation
import Synchronization

/// Counts attempts in memory, for the kinds that are limited only to resist floods.
///
/// Buckets that are full again say nothing: they are deleted whenever there are twice as many buckets as remained the last
/// time. Bounded: under a flood of distinct keys, of which too few are full again, all are deleted.
public final class InMemoryRateLimiter: Sendable {
    private struct State {
        var records: [String: AttemptRecord] = [:]
        /// The number of buckets above which the full ones are deleted.
        var limit: Int
    }

    private let state: Mutex<State>
    private let capacity: Int
    private let minimumLimit: Int

    /// Creates a rate limiter without counts that keeps at most `capacity` buckets.
    public convenience init(capacity: Int = 100_000) { self.init(capacity: capacity, minimumLimit: 1024) }

    /// - Parameter minimumLimit: The number of buckets up to which none is deleted.
    init(capacity: Int, minimumLimit: Int) {
        self.capacity = capacity
        self.minimumLimit = min(minimumLimit, capacity)
        state = Mutex(State(limit: self.minimumLimit))
    }

    /// The number of buckets kept.
    var bucketCount: Int { state.withLock { $0.records.count } }

    /// Counts one attempt against every bucket, or against none if one of them refuses.
    ///
    /// - Returns: `nil` if every bucket allows it; otherwise the longest wait in seconds.
    public func count(_ buckets: [AttemptBucket], at now: Date) -> Int? {
        state.withLock { state in
            var next: [(String, AttemptRecord)] = []
            var longest: Int?
            for bucket in buckets {
                switch bucket.rule.verdict(state.records[bucket.key], now: now) {
                case .allowed(let record): next.append((bucket.key, record))
                case .wait(let seconds): longest = max(longest ?? 0, seconds)
                }
            }
            if let longest { return longest }
            if state.records.count + next.count > state.limit {
                state.records = state.records.filter { $0.value.fullAt > now }
                // Each deletion looks at every bucket, so it has to make room for many attempts.
                if state.records.count + next.count > capacity - capacity / 8 { state.records.removeAll() }
                state.limit = min(capacity, max(minimumLimit, 2 * state.records.count))
            }
            for (key, record) in next { state.records[key] = record }
            return nil
        }
    }

    /// Gives back to every bucket the one attempt that was counted; the rest of their counts remains.
    public func refund(_ buckets: [AttemptBucket]) {
        state.withLock { state in
            for bucket in buckets {
                guard var record = state.records[bucket.key] else { continue }
                record.fullAt -= bucket.rule.refund.seconds
                record.failures = max(record.failures - bucket.rule.refund.failures, 0)
                state.records[bucket.key] = record
            }
        }
    }

    /// Deletes the counts of the given keys.
    public func forgive(_ keys: [String]) {
        state.withLock { state in
            for key in keys { state.records[key] = nil }
        }
    }
}
