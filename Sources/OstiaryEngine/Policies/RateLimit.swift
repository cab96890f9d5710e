public import Foundation

/// So many attempts in so much time, refilled evenly.
///
/// Kept as one number a key: the time at which the bucket is full again (the generic cell rate algorithm). Pure: it reads
/// no clock and no store.
public struct RateLimit: Hashable, Sendable {
    public var attempts: Int
    public var seconds: Int

    public init(attempts: Int, perSeconds seconds: Int) {
        self.attempts = max(1, attempts)
        self.seconds = max(1, seconds)
    }

    public enum Verdict: Hashable, Sendable {
        /// Keep `fullAt` for the next time.
        case allowed(fullAt: Date)
        case wait(seconds: Int)
    }

    /// - Parameter fullAt: What the last verdict said; nil for a key never seen.
    public func verdict(fullAt: Date?, now: Date) -> Verdict {
        let cost = Double(seconds) / Double(attempts)
        // A clock that jumped back must not lock anybody out: no bucket is ever emptier than empty.
        let start = min(max(fullAt ?? now, now), now.addingTimeInterval(Double(seconds)))
        let next = start.addingTimeInterval(cost)
        let excess = next.timeIntervalSince(now) - Double(seconds)
        // Dates are kept to the millisecond: what rounding each attempt adds up to is not an attempt too many.
        guard excess > min(0.0005 * Double(attempts), cost / 2) else { return .allowed(fullAt: next) }
        return .wait(seconds: max(1, Int(excess.rounded(.up))))
    }
}
