/// When a queue tries again: a pure function of how often it failed and of what the server said.
enum QueuePace {
    private static let first: Duration = .seconds(2)
    /// A queue that nobody wakes looks that often.
    private static let longest: Duration = .seconds(300)
    private static let shortest: Duration = .seconds(1)
    /// No server is believed more.
    private static let longestTold: Duration = .seconds(3600)
    /// How long another process is left to send.
    static let otherProcess: Duration = .seconds(15)

    /// - Parameters:
    ///   - failures: In a row, from 1.
    ///   - fraction: Random, from 0 up to 1, so that the clients of a server that comes back do not come back together.
    ///   - told: What the server asks for at least.
    static func delay(failures: Int, fraction: Double, told: Duration? = nil) -> Duration {
        let ceiling = min(longest, first * (1 << min(max(0, failures - 1), 16)))
        let own = max(shortest, ceiling * fraction)
        return max(own, min(told ?? .zero, longestTold))
    }
}
