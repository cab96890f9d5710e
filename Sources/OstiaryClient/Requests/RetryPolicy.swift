package import OstiaryContracts

/// The rules by which a failed request is repeated: a pure function of the outcome.
///
/// - An idempotent request (GET, HEAD, OPTIONS, PUT, DELETE, or any with an `Idempotency-Key`) is repeated after
///   transient statuses and after broken connections.
/// - Any other is repeated only if the server cannot have executed it: the connection was never opened, or the server
///   itself named (429 or 503) the time of the next attempt.
public struct RetryPolicy: Hashable, Sendable {
    /// The maximum number of repetitions after the first attempt; the repetition with a fresh token does not count.
    public var maximumRetries: Int
    /// The upper bound of the first wait. It doubles with each repetition (exponential backoff with full jitter).
    public var firstWait: Duration
    /// The upper bound of every wait of the backoff.
    public var longestWait: Duration
    /// The time limit of one attempt of an idempotent request; nil for the remaining time of the call.
    public var attemptDeadline: Duration?

    /// Creates a policy from its parts.
    public init(
        maximumRetries: Int = 3, firstWait: Duration = .milliseconds(500), longestWait: Duration = .seconds(10),
        attemptDeadline: Duration? = nil
    ) {
        self.maximumRetries = maximumRetries
        self.firstWait = firstWait
        self.longestWait = longestWait
        self.attemptDeadline = attemptDeadline
    }

    /// The default policy: 3 repetitions, with waits of at most 0.5, 1 and 2 seconds.
    public static let standard = RetryPolicy()
    /// A policy without repetitions.
    public static let none = RetryPolicy(maximumRetries: 0)

    /// The outcome of one attempt.
    package enum Outcome: Hashable, Sendable {
        /// - Parameter retryAfter: The server's `Retry-After`, if it sent one.
        case answered(status: Int, retryAfter: Duration?)
        case failed(TransportError)
    }

    package enum Verdict: Hashable, Sendable {
        /// The outcome is returned to the caller.
        case stands
        case retry(after: Duration)
    }

    /// Decides whether an attempt is repeated.
    ///
    /// - Parameters:
    ///   - retries: The number of repetitions so far.
    ///   - remaining: The time until the call's deadline. A wait that does not fit is not begun.
    ///   - chance: From 0 up to 1, evaluated only for a wait that the server did not name: full jitter, so that
    ///     clients that failed together do not retry together.
    package func verdict(
        on outcome: Outcome, repeatable: Bool, retries: Int, remaining: Duration,
        chance: @autoclosure () -> Double
    ) -> Verdict {
        guard retries < maximumRetries else { return .stands }
        let wait: Duration
        switch outcome {
        case .answered(status: 429, let retryAfter?), .answered(status: 503, let retryAfter?): wait = retryAfter
        case .answered(let status, _):
            guard repeatable, Self.passingStatuses.contains(status) else { return .stands }
            wait = backoff(retries) * chance()
        case .failed(.offline): wait = backoff(retries) * chance()
        case .failed(.connectionLost), .failed(.timedOut):
            guard repeatable else { return .stands }
            wait = backoff(retries) * chance()
        case .failed: return .stands
        }
        return wait < remaining ? .retry(after: wait) : .stands
    }

    private static let passingStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    private func backoff(_ retries: Int) -> Duration {
        min(longestWait, firstWait * (1 << min(max(0, retries), 30)))
    }

    /// Returns `true` if the request is idempotent. Source: RFC 9110 §9.2.2.
    package static func isRepeatable(_ request: WireRequest) -> Bool {
        ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"].contains(request.method)
            || request.headers["idempotency-key"]?.isEmpty == false
    }
}
