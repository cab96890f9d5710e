/// The limits on the frequency of a client's refreshes.
///
/// Owned by one ``SessionKeeper`` and used in its isolation only.
final class RefreshPacing {
    private var backoff = RefreshBackoff()
    /// The error that callers receive until the next refresh is allowed.
    private var lastFailure: ClientError?
    private var limit = RefreshLimit()

    /// Returns the error to throw instead of a refresh; `nil` if one is allowed now.
    func refusal(at uptime: Duration) -> ClientError? {
        backoff.allows(at: uptime) ? nil : lastFailure ?? .temporarilyUnavailable
    }

    /// The earliest time of the next refresh, by ``ClientDependencies/uptime``; `nil` without a backoff.
    var notBefore: Duration? { backoff.notBefore }

    func reset() { backoff.reset() }

    /// Records a failure in which the server could not answer.
    ///
    /// - Parameter fraction: The jitter in 0..<1.
    func backOff(at uptime: Duration, fraction: Double) { backoff.fail(at: uptime, fraction: fraction) }

    /// Records the wait that the server asked for, in seconds.
    func wait(_ seconds: Int, at uptime: Duration) { backoff.wait(seconds, at: uptime) }

    func note(_ failure: ClientError) { lastFailure = failure }

    /// Counts a refresh after a 401.
    ///
    /// - Returns: `false` if the rate limit is exceeded.
    func takeReplacement(at uptime: Duration) -> Bool { limit.take(at: uptime) }
}
