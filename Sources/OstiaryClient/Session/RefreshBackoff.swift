/// The backoff with jitter between refreshes after transient failures: a pure value of their number and times.
struct RefreshBackoff: Hashable, Sendable {
    private var failures = 0
    /// The earliest ``ClientDependencies/uptime`` of the next request.
    private(set) var notBefore: Duration?

    /// The wait after the first failure, doubled with every failure that follows.
    static let first: Duration = .seconds(5)
    static let longest: Duration = .seconds(300)

    /// Records a failure in which the server could not answer.
    ///
    /// - Parameter fraction: The jitter in 0..<1, so that clients that failed together do not retry together.
    mutating func fail(at uptime: Duration, fraction: Double) {
        let whole = min(Self.longest, Self.first * (1 << min(failures, 10)))
        failures += 1
        notBefore = uptime + whole / 2 + whole / 2 * fraction
    }

    /// Records the wait that the server asked for, in seconds, limited to 1 s…``longest``.
    mutating func wait(_ seconds: Int, at uptime: Duration) {
        notBefore = uptime + min(Self.longest, .seconds(max(1, seconds)))
    }

    mutating func reset() { self = RefreshBackoff() }

    func allows(at uptime: Duration) -> Bool { notBefore.map { $0 <= uptime } ?? true }
}

/// A rate limit of refreshes in a sliding window, which breaks a loop between a client and a server that disagree about
/// a token.
struct RefreshLimit: Hashable, Sendable {
    private var times: [Duration] = []

    static let count = 5
    static let window: Duration = .seconds(30)

    /// Counts one more attempt if it is allowed now.
    ///
    /// - Returns: `true` if it is allowed.
    mutating func take(at uptime: Duration) -> Bool {
        times.removeAll { $0 <= uptime - Self.window }
        guard times.count < Self.count else { return false }
        times.append(uptime)
        return true
    }
}
