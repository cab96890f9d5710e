/// The state of a pool: its connections, its waiting callers, and the assignment of the former to the latter.
struct ConnectionPoolState {
    /// A period without a connection, with its start and its latest reason.
    struct Outage {
        let since: ContinuousClock.Instant
        var reason: PostgresError.Unreachable
    }

    /// The duration of an outage after which callers no longer wait for its end, but fail after the next attempt.
    private static let grace = Duration.seconds(1)
    /// The maximum number of concurrent connection attempts.
    private static let openingLimit = 4
    private static let waitQueueLimit = 2_000

    /// The idle connections. The most recently used one is last and is taken first.
    private(set) var idle: [PostgresConnection] = []
    private(set) var busy: [ObjectIdentifier: PostgresConnection] = [:]
    private(set) var opening = 0
    private(set) var outage: Outage?
    private(set) var isClosed = false
    var waitQueue = WaitQueue()

    /// `true` if closing waits for connection attempts in progress.
    var awaitsOpenings = true

    /// `true` if the pool is closed and nothing is in progress any more.
    var isDone: Bool { isClosed && busy.isEmpty && (opening == 0 || !awaitsOpenings) }
    var isWaitQueueFull: Bool { waitQueue.count >= Self.waitQueueLimit }

    // MARK: Leases

    mutating func takeIdle() -> PostgresConnection? {
        // Does not overtake waiting callers: where a connection is idle, no caller waits.
        while let connection = idle.popLast() {
            guard connection.isUsable else { continue }
            busy[ObjectIdentifier(connection)] = connection
            return connection
        }
        return nil
    }

    /// Assigns a connection to the caller that has waited longest, or makes it idle.
    mutating func place(_ connection: PostgresConnection) -> Waiter? {
        guard let waiter = waitQueue.next() else {
            idle.append(connection)
            return nil
        }
        busy[ObjectIdentifier(connection)] = connection
        return waiter
    }

    /// - Returns: The connections to close; empty if the connection can be reused.
    mutating func take(back connection: PostgresConnection, after error: PostgresError?) -> [PostgresConnection] {
        busy[ObjectIdentifier(connection)] = nil
        let isCondemned = error?.condemnsConnections == true
        let isSpoiled = error?.spoilsConnection == true
        guard connection.isFree, !isCondemned, !isSpoiled, connection.retires > .now, !isClosed else {
            let others = idle.filter { other in
                // A connection that has answered since shows that only the one is silent.
                isCondemned || connection.silentSince.map { other.heard < $0 } ?? false
            }
            idle.removeAll { idle in others.contains { $0 === idle } }
            return others + [connection]
        }
        // An outage ends only with a successful attempt if one is in progress; without one, a reusable connection ends
        // it.
        if opening == 0 { outage = nil }
        return []
    }

    mutating func remove(_ connection: PostgresConnection) { idle.removeAll { $0 === connection } }

    // MARK: Opening

    /// Returns the number of connections to open now.
    mutating func takeOpenings(of limit: Int) -> Int {
        // During an outage a single attempt serves all callers.
        let atOnce = outage == nil ? Self.openingLimit : 1
        let room = limit - idle.count - busy.count - opening
        let wanted = isClosed ? 0 : max(0, min(waitQueue.count - opening, atOnce - opening, room))
        opening += wanted
        return wanted
    }

    /// - Returns: The outage that this ends.
    mutating func noteOpened() -> Outage? {
        opening -= 1
        defer { outage = nil }
        return outage
    }

    /// - Returns: The callers that must not wait any longer, `true` if another attempt is due, and `true` if the outage
    ///   is new.
    mutating func noteFailure(
        _ reason: PostgresError.Unreachable
    ) -> (told: [Waiter], goesOn: Bool, isNews: Bool) {
        let isNews = outage == nil
        let since = outage?.since ?? .now
        outage = Outage(since: since, reason: reason)
        // As long as there are other connections, the only problem may be the server's connection limit.
        let hasLasted = since.duration(to: .now) > Self.grace && idle.isEmpty && busy.isEmpty
        let told = reason.isPassing && !hasLasted ? [] : waitQueue.removeAll()
        let goesOn = !waitQueue.isEmpty && !isClosed && opening == 1
        if !goesOn { opening -= 1 }
        return (told, goesOn, isNews)
    }

    // MARK: Closing

    /// - Returns: The idle connections and the waiting callers.
    mutating func close() -> ([PostgresConnection], [Waiter]) {
        isClosed = true
        defer { idle = [] }
        return (idle, waitQueue.removeAll())
    }
}
