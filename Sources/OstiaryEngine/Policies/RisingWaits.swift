import Foundation

/// Waits that rise with consecutive failures: some without a wait, then each twice the one before, up to the longest.
///
/// Every attempt counts as a failure until it is forgiven. One within a wait is refused, counts nothing and lengthens
/// nothing. Pure: it reads no clock and no store.
public struct RisingWaits: Hashable, Sendable {
    /// How many consecutive failures have no wait after them but the last.
    public var free: Int
    /// The first wait, in seconds.
    public var firstSeconds: Int
    /// The longest wait, in seconds.
    public var longestSeconds: Int
    /// After so many seconds without an attempt the failures are forgotten.
    public var memorySeconds: Int

    public init(free: Int, firstSeconds: Int, longestSeconds: Int = 900, memorySeconds: Int = 86_400) {
        self.free = max(1, free)
        self.longestSeconds = max(1, longestSeconds)
        self.firstSeconds = min(max(1, firstSeconds), self.longestSeconds)
        self.memorySeconds = max(self.longestSeconds, memorySeconds)
    }

    /// The wait after so many consecutive failures, in seconds.
    public func seconds(after failures: Int) -> Int {
        guard failures >= free else { return 0 }
        // Doubling more than 30 times passes every longest wait, and must not overflow.
        let doublings = min(failures - free, 30)
        return min(longestSeconds, firstSeconds << doublings)
    }

    /// - Parameter record: The record of the last verdict; nil for a key never seen.
    func verdict(_ record: AttemptRecord?, now: Date) -> AttemptRule.Verdict {
        var failures = 0
        if let record, record.fullAt > now {
            let wait = record.nextAt.timeIntervalSince(now)
            // A clock that jumped back must not make anyone wait longer than the longest wait.
            if wait > 0, wait <= Double(longestSeconds) { return .wait(seconds: max(1, Int(wait.rounded(.up)))) }
            failures = record.failures
        }
        failures += 1
        var record = AttemptRecord(fullAt: now.addingTimeInterval(Double(memorySeconds)), failures: failures)
        // No wait leaves no time behind: one written down as `now` would hold off an attempt whose clock was read before.
        let wait = seconds(after: failures)
        if wait > 0 { record.nextAt = now.addingTimeInterval(Double(wait)) }
        return .allowed(record)
    }
}
