/// The delay before the queue's next attempt: a pure function of the number of failures and the server's answer.
enum QueuePace {
    private static let first: Duration = .seconds(2)
    /// The interval of a queue that no event wakes.
    private static let longest: Duration = .seconds(300)
    private static let shortest: Duration = .seconds(1)
    /// The maximum delay accepted from a server.
    private static let longestRetryAfter: Duration = .seconds(3600)
    /// The delay before the queue is checked again while another process sends.
    static let otherProcess: Duration = .seconds(15)

    /// Returns the delay: exponential backoff with full jitter, and at least the time that the server asked for.
    ///
    /// - Parameters:
    ///   - failures: The number of consecutive failures, from 1.
    ///   - fraction: A random number from 0 up to 1, so that the clients of a recovering server do not all retry at
    ///     once.
    ///   - retryAfter: The minimum delay that the server asked for.
    static func delay(failures: Int, fraction: Double, retryAfter: Duration? = nil) -> Duration {
        let ceiling = min(longest, first * (1 << min(max(0, failures - 1), 16)))
        let own = max(shortest, ceiling * fraction)
        return max(own, min(retryAfter ?? .zero, longestRetryAfter))
    }
}
