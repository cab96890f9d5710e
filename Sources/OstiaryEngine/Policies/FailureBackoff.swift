import Foundation

/// Exponentially growing waits after consecutive failures: some without a wait, then each twice the one before, up to
/// the longest.
///
/// Every attempt counts as a failure until it is reverted. An attempt within a wait is refused; it is not counted and
/// does not extend the wait. Pure: it reads no clock and no store.
public struct FailureBackoff: Hashable, Sendable {
    /// The number of consecutive failures of which only the last is followed by a wait.
    public var free: Int
    /// The first wait, in seconds.
    public var firstSeconds: Int
    /// The longest wait, in seconds.
    public var longestSeconds: Int
    /// The time without an attempt after which the failures are forgotten, in seconds.
    public var memorySeconds: Int

    /// Creates waits; values are clamped so that every value is at least 1 and `firstSeconds ≤ longestSeconds ≤
    /// memorySeconds`.
    public init(free: Int, firstSeconds: Int, longestSeconds: Int = 900, memorySeconds: Int = 86_400) {
        self.free = max(1, free)
        self.longestSeconds = max(1, longestSeconds)
        self.firstSeconds = min(max(1, firstSeconds), self.longestSeconds)
        self.memorySeconds = max(self.longestSeconds, memorySeconds)
    }

    /// Returns the wait after a number of consecutive failures, in seconds.
    public func seconds(after failures: Int) -> Int {
        guard failures >= free else { return 0 }
        // Doubling more than 30 times exceeds every longest wait, and must not overflow.
        let doublings = min(failures - free, 30)
        return min(longestSeconds, firstSeconds << doublings)
    }

    /// Returns the verdict on one attempt at `now`.
    ///
    /// - Parameter record: The record of the last verdict; `nil` for a new key.
    func verdict(_ record: AttemptRecord?, now: Date) -> AttemptRule.Verdict {
        var failures = 0
        if let record, record.fullAt > now {
            let wait = record.nextAt.timeIntervalSince(now)
            // A clock that jumped back must not extend a wait beyond the longest one.
            if wait > 0, wait <= Double(longestSeconds) { return .wait(seconds: max(1, Int(wait.rounded(.up)))) }
            failures = record.failures
        }
        failures += 1
        var record = AttemptRecord(fullAt: now.addingTimeInterval(Double(memorySeconds)), failures: failures)
        // No wait leaves `nextAt` unset: if it were `now`, it would refuse a concurrent attempt whose clock was read
        // before.
        let wait = seconds(after: failures)
        if wait > 0 { record.nextAt = now.addingTimeInterval(Double(wait)) }
        return .allowed(record)
    }
}
