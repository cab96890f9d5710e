public import Foundation

/// The times at which a failed delivery is attempted again, see `Documentation/events.md`.
public enum EventRetrySchedule {
    /// The delays after the first failures, in seconds; the last one repeats.
    static let delays: [TimeInterval] = [5, 300, 1800, 7200, 18_000, 36_000]
    /// The time after the first attempt from which a delivery is not attempted again, in seconds.
    public static let lifetime: TimeInterval = 3 * 86_400

    /// Returns the time of the next attempt; `nil` if it would be too late.
    ///
    /// - Parameters:
    ///   - attempts: The attempts so far, at least one.
    ///   - now: The time at which the last one failed.
    public static func nextAttempt(after attempts: [EventDelivery.Attempt], at now: Date) -> Date? {
        guard let first = attempts.first else { return now }
        let next = now.addingTimeInterval(delays[min(attempts.count, delays.count) - 1])
        return next < first.at.addingTimeInterval(lifetime) ? next : nil
    }
}
