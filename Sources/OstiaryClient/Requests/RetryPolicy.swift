import OstiaryContracts

/// Whether and when a request that did not succeed is sent again: a pure function of what happened.
///
/// - A request that may be repeated (GET, HEAD, OPTIONS, PUT, DELETE, or any with an `Idempotency-Key`) is, after statuses
///   that pass and after connections that broke.
/// - Any other only where the server cannot have done anything: the connection never opened, or the server itself said
///   (429 or 503) when to come again.
public struct RetryPolicy: Hashable, Sendable {
    /// Repetitions after the first attempt; those that a fresh token is worth do not count.
    public var maximumRetries: Int
    /// The longest first wait. It doubles each time.
    public var firstWait: Duration
    public var longestWait: Duration
    /// For one attempt of a request that may be repeated; nil for whatever is left of the call's deadline.
    public var attemptDeadline: Duration?

    public init(
        maximumRetries: Int = 3, firstWait: Duration = .milliseconds(500), longestWait: Duration = .seconds(10),
        attemptDeadline: Duration? = nil
    ) {
        self.maximumRetries = maximumRetries
        self.firstWait = firstWait
        self.longestWait = longestWait
        self.attemptDeadline = attemptDeadline
    }

    public static let standard = RetryPolicy()
    public static let none = RetryPolicy(maximumRetries: 0)

    /// How an attempt ended.
    enum Outcome: Hashable, Sendable {
        /// - Parameter retryAfter: What the server said, if it did.
        case answered(status: Int, retryAfter: Duration?)
        case failed(TransportError)
    }

    enum Verdict: Hashable, Sendable {
        /// The outcome is the caller's.
        case stands
        case retry(after: Duration)
    }

    /// - Parameters:
    ///   - retries: Repetitions so far.
    ///   - remaining: Until the call's deadline. A wait that does not fit is not begun.
    ///   - chance: From 0 up to 1: full jitter, so that clients which failed together do not come back together.
    func verdict(
        on outcome: Outcome, repeatable: Bool, retries: Int, remaining: Duration, chance: Double
    ) -> Verdict {
        guard retries < maximumRetries else { return .stands }
        let wait: Duration
        switch outcome {
        case .answered(status: 429, let told?), .answered(status: 503, let told?): wait = told
        case .answered(let status, _):
            guard repeatable, Self.passingStatuses.contains(status) else { return .stands }
            wait = backoff(retries) * chance
        case .failed(.offline): wait = backoff(retries) * chance
        case .failed(.connectionLost), .failed(.timedOut):
            guard repeatable else { return .stands }
            wait = backoff(retries) * chance
        case .failed: return .stands
        }
        return wait < remaining ? .retry(after: wait) : .stands
    }

    private static let passingStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    private func backoff(_ retries: Int) -> Duration {
        min(longestWait, firstWait * (1 << min(max(0, retries), 30)))
    }

    /// Whether doing it twice is as good as once. Source: RFC 9110 §9.2.2.
    static func isRepeatable(_ request: WireRequest) -> Bool {
        ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"].contains(request.method)
            || request.headers["idempotency-key"]?.isEmpty == false
    }
}
