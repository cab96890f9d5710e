/// The rate limit of a client's own requests: a token bucket that protects the server, and the battery of an app that
/// requests in a loop.
public struct RequestLimit: Hashable, Sendable {
    /// The capacity of the bucket: the number of requests that may be sent at once after a rest; at least 1.
    public let atOnce: Int
    /// The refill rate in requests per second; from one per minute to a million per second.
    public let perSecond: Double

    /// Creates a limit; values outside the ranges are clamped.
    public init(atOnce: Int, perSecond: Double) {
        self.atOnce = max(1, atOnce)
        self.perSecond = min(.maximum(perSecond, 1 / 60), 1_000_000)
    }

    /// The default limit: 100 at once, 20 per second. More than screens need, less than a loop sends.
    public static let standard = RequestLimit(atOnce: 100, perSecond: 20)
}

/// The state of a limit: the remaining tokens of the token bucket, and the end of the pause that the server asked for.
///
/// All times are the client's uptime.
struct RequestBudget: Hashable, Sendable {
    enum Verdict: Hashable, Sendable {
        case go
        /// The request's token is reserved; it may be sent after that time.
        case wait(Duration)
        /// The wait would exceed the deadline. No token is reserved.
        case tooLate(Duration)
    }

    private let limit: RequestLimit?
    private var available: Double
    private var asOf: Duration?
    private var closedUntil: Duration?

    /// The maximum length of a pause: a server that receives a request after an hour can ask for a pause again.
    static let longestPause: Duration = .seconds(3600)

    init(_ limit: RequestLimit?) {
        self.limit = limit
        available = Double(limit?.atOnce ?? 0)
    }

    /// Reserves a token for one request.
    ///
    /// - Parameters:
    ///   - deadline: The latest time at which the request may be sent.
    ///   - isReplay: `true` for the repetition with a fresh token, which needs no token of the bucket, but observes the
    ///     server's pause.
    mutating func take(at now: Duration, by deadline: Duration, isReplay: Bool = false) -> Verdict {
        var after = self
        let wait = isReplay ? after.pause(at: now) : after.reserve(at: now)
        guard now + wait <= deadline else { return .tooLate(wait) }
        self = after
        return wait > .zero ? .wait(wait) : .go
    }

    private func pause(at now: Duration) -> Duration { max(.zero, (closedUntil ?? now) - now) }

    /// - Returns: The time until the token is available.
    private mutating func reserve(at now: Duration) -> Duration {
        // During a pause the bucket refills as of its end: requests that waited are not all sent at that moment.
        let start = max(now + pause(at: now), asOf ?? now)
        guard let limit else { return start - now }
        let grown = (start - (asOf ?? start)).timeInterval * limit.perSecond
        available = min(Double(limit.atOnce), available + grown) - 1
        asOf = start
        return start - now + (available < 0 ? .seconds(-available / limit.perSecond) : .zero)
    }

    /// Returns a reserved token that was not used.
    mutating func giveBack() {
        guard let limit else { return }
        available = min(Double(limit.atOnce), available + 1)
    }

    /// Records a pause that the server asked for. An earlier one that lasts longer stays in force.
    mutating func close(for pause: Duration, at now: Duration) {
        let end = now + min(max(.zero, pause), Self.longestPause)
        closedUntil = max(end, closedUntil ?? end)
    }

    func isClosed(at now: Duration) -> Bool { closedUntil.map { $0 > now } ?? false }
}
