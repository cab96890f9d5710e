/// How many requests a client sends at most, sparing the server and the battery of an app that asks in a loop.
public struct RequestLimit: Hashable, Sendable {
    /// After a rest, so many may go at once; at least 1.
    public let atOnce: Int
    /// Then so many a second; between one a minute and a million a second.
    public let perSecond: Double

    public init(atOnce: Int, perSecond: Double) {
        self.atOnce = max(1, atOnce)
        self.perSecond = min(.maximum(perSecond, 1 / 60), 1_000_000)
    }

    /// More than screens need, less than a loop sends: 100 at once, 20 a second.
    public static let standard = RequestLimit(atOnce: 100, perSecond: 20)
}

/// What is left of a limit at the moment, and until when the server wants to hear nothing: a token bucket.
///
/// Times are the client's uptime.
struct RequestBudget: Hashable, Sendable {
    enum Verdict: Hashable, Sendable {
        case go
        /// The request's share is taken; it goes after that time.
        case wait(Duration)
        /// Its turn would come after that time, which is too late. Nothing is taken.
        case tooLate(Duration)
    }

    private let limit: RequestLimit?
    private var available: Double
    private var asOf: Duration?
    private var closedUntil: Duration?

    /// A pause is this long at most: a server that is asked again after an hour can say so again.
    static let longestPause: Duration = .seconds(3600)

    init(_ limit: RequestLimit?) {
        self.limit = limit
        available = Double(limit?.atOnce ?? 0)
    }

    /// Takes one request's share.
    ///
    /// - Parameters:
    ///   - deadline: When the request must be on its way.
    ///   - isReplay: A repetition that a fresh token is worth costs nothing, but heeds the server's pause.
    mutating func take(at now: Duration, by deadline: Duration, isReplay: Bool = false) -> Verdict {
        var after = self
        let wait = isReplay ? after.pause(at: now) : after.reserve(at: now)
        guard now + wait <= deadline else { return .tooLate(wait) }
        self = after
        return wait > .zero ? .wait(wait) : .go
    }

    private func pause(at now: Duration) -> Duration { max(.zero, (closedUntil ?? now) - now) }

    /// - Returns: How long until the share is there.
    private mutating func reserve(at now: Duration) -> Duration {
        // During a pause shares grow until its end: those who waited do not all go at that moment.
        let start = max(now + pause(at: now), asOf ?? now)
        guard let limit else { return start - now }
        let grown = (start - (asOf ?? start)).timeInterval * limit.perSecond
        available = min(Double(limit.atOnce), available + grown) - 1
        asOf = start
        return start - now + (available < 0 ? .seconds(-available / limit.perSecond) : .zero)
    }

    /// Gives a share back that was taken and not used.
    mutating func giveBack() {
        guard let limit else { return }
        available = min(Double(limit.atOnce), available + 1)
    }

    /// The server has asked for a pause. One that was asked for before and lasts longer stays.
    mutating func close(for pause: Duration, at now: Duration) {
        let end = now + min(max(.zero, pause), Self.longestPause)
        closedUntil = max(end, closedUntil ?? end)
    }

    func isClosed(at now: Duration) -> Bool { closedUntil.map { $0 > now } ?? false }
}
