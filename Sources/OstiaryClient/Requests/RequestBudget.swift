/// How many requests a client sends at most, sparing the server and the battery of an app that asks in a loop.
public struct RequestLimit: Hashable, Sendable {
    /// After a rest, so many may go at once; at least 1.
    public let atOnce: Int
    /// Then so many a second; at least one a minute.
    public let perSecond: Double

    public init(atOnce: Int, perSecond: Double) {
        self.atOnce = max(1, atOnce)
        self.perSecond = .maximum(perSecond, 1 / 60)
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
        let start = max(now, closedUntil ?? now)
        var wait = start - now
        var left = available
        if let limit, !isReplay {
            // During a pause shares grow until its end: those who waited do not all go at that moment.
            if let asOf, start > asOf {
                left = min(Double(limit.atOnce), left + (start - asOf).timeInterval * limit.perSecond)
            }
            left -= 1
            let base = max(start, asOf ?? start)
            if left < 0 { wait = base - now + .seconds(-left / limit.perSecond) }
            guard now + wait <= deadline else { return .tooLate(wait) }
            available = left
            asOf = base
        }
        guard now + wait <= deadline else { return .tooLate(wait) }
        return wait > .zero ? .wait(wait) : .go
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
