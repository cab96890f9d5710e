public import Foundation
import Synchronization

/// Counts attempts in memory, for kinds that only guard against floods. Bounded: under a flood of distinct keys the
/// buckets that are full again go first, then all of them.
public final class VolatileAttempts: Sendable {
    private let records = Mutex<[String: AttemptRecord]>([:])
    private let capacity: Int

    public init(capacity: Int = 100_000) { self.capacity = capacity }

    /// How many buckets are kept.
    var bucketCount: Int { records.withLock { $0.count } }

    /// Counts one attempt against every bucket, or against none if one of them refuses.
    ///
    /// - Returns: Nil if all allow it; else the longest wait in seconds.
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

    public func forgive(_ keys: [String]) {
        records.withLock { records in
            for key in keys { records[key] = nil }
        }
    }
}
