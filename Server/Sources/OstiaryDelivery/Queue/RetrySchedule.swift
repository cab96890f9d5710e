package import Foundation

/// The backoff with jitter of a failed message: short at first, then each retry at three times the message's age, and
/// none after its useful life.
///
/// It depends on the age and not on a count of attempts, so that time spent in the queue does not count against a
/// message.
package struct RetrySchedule: Hashable, Sendable {
    package var firstWaitSeconds: Double = 5
    package var longestWaitSeconds: Double = 3600
    /// The maximum random deviation of a delay, as a share of it, so that messages which failed together are not
    /// retried together.
    package var jitter: Double = 0.2

    package init() {}

    /// Returns the time of the next attempt.
    ///
    /// - Parameter chance: A random number from 0 up to 1.
    /// - Returns: Nil if the message's useful life ends before then.
    package func nextAttempt(
        queuedAt: Date, failedAt: Date, usefulSeconds: Int, chance: Double
    ) -> Date? {
        let age = failedAt.timeIntervalSince(queuedAt)
        let longest = min(longestWaitSeconds, Double(usefulSeconds) / 10)
        let wait = max(firstWaitSeconds, min(2 * age, longest))
        let next = failedAt.addingTimeInterval(wait * (1 + jitter * (2 * chance - 1)))
        return next < queuedAt.addingTimeInterval(Double(usefulSeconds)) ? next : nil
    }
}
