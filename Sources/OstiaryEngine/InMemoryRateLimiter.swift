public import Foundation
import Synchronization

/// Counts attempts in memory, for the kinds that are limited only to resist floods. Bounded: under a flood of distinct
/// keys the buckets that are full again are deleted first, then all of them.
public final class InMemoryRateLimiter: Sendable {
    private let records = Mutex<[String: AttemptRecord]>([:])
    private let capacity: Int

    /// Creates a rate limiter without counts that keeps at most `capacity` buckets.
    public init(capacity: Int = 100_000) { self.capacity = capacity }

    /// The number of buckets kept.
    var bucketCount: Int { records.withLock { $0.count } }

    /// Counts one attempt against every bucket, or against none if one of them refuses.
    ///
    /// - Returns: `nil` if every bucket allows it; otherwise the longest wait in seconds.
    public func count(_ buckets: [AttemptBucket], at now: Date) -> Int? {
        records.withLock { records in
            var next: [(String, AttemptRecord)] = []
            var longest: Int?
            for bucket in buckets {
                switch bucket.rule.verdict(records[bucket.key], now: now) {
                case .allowed(let record): next.append((bucket.key, record))
                case .wait(let seconds): longest = max(longest ?? 0, seconds)
                }
            }
            if let longest { return longest }
            if records.count + next.count > capacity {
                records = records.filter { $0.value.fullAt > now }
                if records.count + next.count > capacity { records.removeAll() }
            }
            for (key, record) in next { records[key] = record }
            return nil
        }
    }

    /// Deletes the counts of the given keys.
    public func forgive(_ keys: [String]) {
        records.withLock { records in
            for key in keys { records[key] = nil }
        }
    }
}
