import Foundation
import OstiaryCore
import Synchronization

/// Counts the failed sign-ins of networks in this process, for the signal ``RiskSignal/networkFailures``. Bounded: under a flood
/// of networks the oldest counts are deleted.
public final class NetworkFailures: Sendable {
    private struct Count {
        var startedAt: Date
        var failures = 0
        /// Hashes of the accounts that signed in: a network with many people has many failures.
        var accounts: Set<Int> = []
    }

    private let counts = Mutex<[String: Count]>([:])
    private let capacity: Int

    /// The number of failures within ``seconds`` from which they are a signal: an owner's own mistakes are fewer.
    static let threshold = 5
    static let seconds = 3600.0
    /// The number of accounts that are kept of a network. One that fails more often is the origin of an attack, whichever accounts sign in there.
    static let keptAccounts = 200

    /// Creates counters that keep at most `capacity` networks.
    public init(capacity: Int = 50_000) { self.capacity = capacity }

    func note(_ network: String, at now: Date) { change(network, at: now) { $0.failures += 1 } }

    /// Counts an account that signed in, once an hour.
    func noteSuccess(of account: AccountID, at network: String, at now: Date) {
        change(network, at: now) {
            guard $0.accounts.count < Self.keptAccounts else { return }
            $0.accounts.insert(account.hashValue)
        }
    }

    /// Returns `true` if a network failed often, and more often than accounts signed in there.
    func areMany(at network: String, at now: Date) -> Bool {
        counts.withLock { counts in
            guard let known = counts[network], now.timeIntervalSince(known.startedAt) < Self.seconds else {
                return false
            }
            return known.failures >= Self.threshold && known.failures > known.accounts.count
        }
    }

    private func change(_ network: String, at now: Date, _ change: (inout Count) -> Void) {
        counts.withLock { counts in
            if let known = counts[network], now.timeIntervalSince(known.startedAt) < Self.seconds {
                change(&counts[network, default: known])
                return
            }
            if counts.count >= capacity {
                counts = counts.filter { now.timeIntervalSince($0.value.startedAt) < Self.seconds }
                if counts.count >= capacity { counts.removeAll() }
            }
            var count = Count(startedAt: now)
            change(&count)
            counts[network] = count
        }
    }
}
