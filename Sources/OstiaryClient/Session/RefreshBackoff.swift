/// When a refresh may be tried again after failures that pass: a pure value of their number and times.
struct RefreshBackoff: Hashable, Sendable {
    private var failures = 0
    /// Until then nothing is asked, by ``ClientSurroundings/uptime``.
    private(set) var notBefore: Duration?

    /// The first wait, doubled with every failure that follows.
    static let first: Duration = .seconds(5)
    static let longest: Duration = .seconds(300)

    /// The server cannot answer.
    ///
    /// - Parameter fraction: From 0 up to 1: clients that failed together shall not come back together.
    mutating func fail(at uptime: Duration, fraction: Double) {
        let whole = min(Self.longest, Self.first * (1 << min(failures, 10)))
        failures += 1
        notBefore = uptime + whole / 2 + whole / 2 * fraction
    }

    /// The server asks to wait.
    mutating func wait(_ seconds: Int, at uptime: Duration) {
        notBefore = uptime + min(Self.longest, .seconds(max(1, seconds)))
    }

    mutating func reset() { self = RefreshBackoff() }

    func allows(at uptime: Duration) -> Bool { notBefore.map { $0 <= uptime } ?? true }
}

/// At most so many in so long: what stops a client and a server that misunderstand each other.
struct RefreshLimit: Hashable, Sendable {
    private var times: [Duration] = []

    static let count = 5
    static let window: Duration = .seconds(30)

    /// Whether one more is allowed now; it is counted then.
    mutating func take(at uptime: Duration) -> Bool {
        times.removeAll { $0 <= uptime - Self.window }
        guard times.count < Self.count else { return false }
        times.append(uptime)
        return true
    }
}
