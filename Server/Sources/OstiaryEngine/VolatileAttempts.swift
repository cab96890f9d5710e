public import Foundation
import Synchronization

/// Counts attempts in memory, for kinds that only guard against floods. Bounded: under a flood of distinct keys the
/// buckets that are full again go first, then all of them.
public final class VolatileAttempts: AttemptStore {
    private let buckets = Mutex<[String: Date]>([:])
    private let capacity: Int

    public init(capacity: Int = 100_000) { self.capacity = capacity }

    /// How many buckets are kept.
    var bucketCount: Int { buckets.withLock { $0.count } }

    public func count(_ demands: [AttemptBucket], at now: Date) -> Int? {
        buckets.withLock { buckets in
            var next: [(String, Date)] = []
            var longest: Int?
            for demand in demands {
                switch demand.limit.verdict(fullAt: buckets[demand.key], now: now) {
                case .allowed(let fullAt): next.append((demand.key, fullAt))
                case .wait(let seconds): longest = max(longest ?? 0, seconds)
                }
            }
            if let longest { return longest }
            if buckets.count + next.count > capacity {
                buckets = buckets.filter { $0.value > now }
                if buckets.count + next.count > capacity { buckets.removeAll() }
            }
            for (key, fullAt) in next { buckets[key] = fullAt }
            return nil
        }
    }

    public func forgive(_ keys: [String]) {
        buckets.withLock { buckets in
            for key in keys { buckets[key] = nil }
        }
    }
}
