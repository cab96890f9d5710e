package import Foundation

/// When a message that could not be sent is tried again: soon at first, then after three times its age, and not at all
/// once it is of no use.
///
/// It goes by age and not by a count of attempts, so that a message which waited for its turn is not punished for it.
package struct RetrySchedule: Hashable, Sendable {
    package var firstWaitSeconds: Double = 5
    package var longestWaitSeconds: Double = 3600
    /// How far a wait is moved at random, as a share of it, so that what failed together does not come back together.
    package var jitter: Double = 0.2

    package init() {}

    /// - Parameter chance: From 0 up to 1, at random.
    /// - Returns: Nil if the message will be of no use by then.
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
