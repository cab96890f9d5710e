import Foundation
import Synchronization

/// Counts the failed sign-ins of networks in this process, for the signal ``RiskSignal/networkFailures``. Bounded: under a flood
/// of networks the oldest counts are deleted.
public final class NetworkFailures: Sendable {
    private struct Count {
        var startedAt: Date
        var failures: Int
    }

    private let counts = Mutex<[String: Count]>([:])
    private let capacity: Int

    /// The number of failures within ``seconds`` from which they are a signal: an owner's own mistakes are fewer.
    static let threshold = 5
    static let seconds = 3600.0

    /// Creates counters that keep at most `capacity` networks.
    public init(capacity: Int = 50_000) { self.capacity = capacity }

    func note(_ network: String, at now: Date) {
        counts.withLock { counts in
            if let known = counts[network], now.timeIntervalSince(known.startedAt) < Self.seconds {
                counts[network]?.failures += 1
                return
            }
            if counts.count >= capacity {
                counts = counts.filter { now.timeIntervalSince($0.value.startedAt) < Self.seconds }
                if counts.count >= capacity { counts.removeAll() }
            }
            counts[network] = Count(startedAt: now, failures: 1)
        }
    }

    func areMany(at network: String, at now: Date) -> Bool {
        counts.withLock { counts in
            guard let known = counts[network], now.timeIntervalSince(known.startedAt) < Self.seconds else {
                return false
            }
            return known.failures >= Self.threshold
        }
    }
}
