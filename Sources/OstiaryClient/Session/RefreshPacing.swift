/// The limits on how often a client asks for other tokens.
///
/// Belongs to one ``SessionKeeper`` and is used in its isolation only.
final class RefreshPacing {
    private var backoff = RefreshBackoff()
    /// The answer to callers until the next refresh is allowed.
    private var lastFailure: ClientError?
    private var limit = RefreshLimit()

    /// The error to throw instead of a refresh; nil if one is allowed now.
    func refusal(at uptime: Duration) -> ClientError? {
        backoff.allows(at: uptime) ? nil : lastFailure ?? .temporarilyUnavailable
    }

    /// The earliest time of the next refresh, by ``ClientSurroundings/uptime``; nil without a backoff.
    var notBefore: Duration? { backoff.notBefore }

    func reset() { backoff.reset() }

    /// The server cannot answer.
    ///
    /// - Parameter fraction: From 0 up to 1.
    func backOff(at uptime: Duration, fraction: Double) { backoff.fail(at: uptime, fraction: fraction) }

    /// The server asks to wait.
    func wait(_ seconds: Int, at uptime: Duration) { backoff.wait(seconds, at: uptime) }

    func note(_ failure: ClientError) { lastFailure = failure }

    /// Counts a refresh after a 401.
    ///
    /// - Returns: False where there were too many.
    func takeReplacement(at uptime: Duration) -> Bool { limit.take(at: uptime) }
}
