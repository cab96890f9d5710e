public import Foundation

/// A number of attempts per period, refilled evenly.
///
/// The state of a key is one number: the time at which the bucket is full again (the generic cell rate algorithm).
/// Pure: it reads no clock and no store.
public struct RateLimit: Hashable, Sendable {
    /// The number of attempts that a full bucket allows at once, at least 1.
    public var attempts: Int
    /// The time in which an empty bucket is full again, in seconds, at least 1.
    public var seconds: Int

    /// The number of attempts that stay in the bucket for callers with a claim to them: a limit without a reserve, on the same
    /// key, allows them. Below ``attempts``.
    public var reserved: Int

    /// The difference between the clocks of two nodes, or two readings of one, that empties no bucket and fills none.
    private static let clockSkewSeconds = 60.0

    /// Creates a limit; values out of range are clamped to it.
    public init(attempts: Int, perSeconds seconds: Int, reserved: Int = 0) {
        self.attempts = max(1, attempts)
        self.seconds = max(1, seconds)
        self.reserved = min(max(0, reserved), self.attempts - 1)
    }

    /// The answer to one attempt.
    public enum Verdict: Hashable, Sendable {
        /// The attempt is allowed; `fullAt` is the state to store.
        case allowed(fullAt: Date)
        /// The attempt is refused for so many seconds.
        case wait(seconds: Int)
    }

    /// Returns the verdict on one attempt at `now`.
    ///
    /// - Parameter fullAt: The state of the last verdict; `nil` for a new key.
    public func verdict(fullAt: Date?, now: Date) -> Verdict {
        let cost = Double(seconds) / Double(attempts)
        // A clock that jumped back must not lock out a caller: no bucket is ever emptier than empty, and one that would be
        // by far says nothing.
        let emptiest = now.addingTimeInterval(Double(seconds))
        let isCredible = fullAt.map { $0 <= emptiest.addingTimeInterval(Self.clockSkewSeconds) } ?? false
        let start = isCredible ? min(max(fullAt ?? now, now), emptiest) : now
        let next = start.addingTimeInterval(cost)
        let excess = next.timeIntervalSince(now) - Double(seconds) + cost * Double(reserved)
        // Dates are kept to the millisecond: the accumulated rounding of each attempt must not amount to another
        // attempt.
        guard excess > min(0.0005 * Double(attempts), cost / 2) else { return .allowed(fullAt: next) }
        return .wait(seconds: max(1, Int(excess.rounded(.up))))
    }
}
