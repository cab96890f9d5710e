/// Which connections there are, who waits for one, and who is to have which.
struct ShelfState {
    /// Why there has been no connection since when.
    struct Outage {
        let since: ContinuousClock.Instant
        var reason: PostgresError.Unreachable
    }

    /// How long an outage may last before nobody waits for its end any more, but is told after the next try.
    private static let grace = Duration.seconds(1)
    /// How many connections are made at the same time.
    private static let openingLimit = 4
    private static let lineLimit = 2_000

    /// The one used last stands last and is taken first.
    private(set) var idle: [PostgresConnection] = []
    private(set) var busy: [ObjectIdentifier: PostgresConnection] = [:]
    private(set) var opening = 0
    private(set) var outage: Outage?
    private(set) var isClosed = false
    var line = Line()

    /// Whether the end waits for connections that are being made.
    var awaitsOpenings = true

    /// Whether nothing is under way any more, nor will be.
    var isDone: Bool { isClosed && busy.isEmpty && (opening == 0 || !awaitsOpenings) }
    var isLineFull: Bool { line.count >= Self.lineLimit }

    // MARK: Lending

    mutating func takeIdle() -> PostgresConnection? {
        // Overtakes nobody: where one is idle, nobody waits.
        while let connection = idle.popLast() {
            guard connection.isUsable else { continue }
            busy[ObjectIdentifier(connection)] = connection
            return connection
        }
        return nil
    }

    /// Gives a connection to whoever waits longest, or puts it on the shelf.
    mutating func place(_ connection: PostgresConnection) -> Waiter? {
        guard let waiter = line.next() else {
            idle.append(connection)
            return nil
        }
        busy[ObjectIdentifier(connection)] = connection
        return waiter
    }

    /// - Returns: What is to be closed; nothing if the connection is as good as before.
    mutating func take(back connection: PostgresConnection, after error: PostgresError?) -> [PostgresConnection] {
        busy[ObjectIdentifier(connection)] = nil
        let isCondemned = error?.condemnsConnections == true
        let isSpoiled = error?.spoilsConnection == true
        guard connection.isFree, !isCondemned, !isSpoiled, connection.retires > .now, !isClosed else {
            let others = idle.filter { other in
                // Who has answered since shows that only the one is silent.
                isCondemned || connection.silentSince.map { other.heard < $0 } ?? false
            }
            idle.removeAll { idle in others.contains { $0 === idle } }
            return others + [connection]
        }
        // Not the end of an outage that somebody is trying to end, but there is none where all is well again.
        if opening == 0 { outage = nil }
        return []
    }

    mutating func remove(_ connection: PostgresConnection) { idle.removeAll { $0 === connection } }

    // MARK: Opening

    /// How many connections are to be made now.
    mutating func takeOpenings(of limit: Int) -> Int {
        // In an outage one tries for all.
        let atOnce = outage == nil ? Self.openingLimit : 1
        let room = limit - idle.count - busy.count - opening
        let wanted = isClosed ? 0 : max(0, min(line.count - opening, atOnce - opening, room))
        opening += wanted
        return wanted
    }

    /// - Returns: The outage that this ends.
    mutating func noteOpened() -> Outage? {
        opening -= 1
        defer { outage = nil }
        return outage
    }

    /// - Returns: Who must not wait any longer, whether it is for one more try, and whether this is news.
    mutating func noteFailure(
        _ reason: PostgresError.Unreachable
    ) -> (told: [Waiter], goesOn: Bool, isNews: Bool) {
        let isNews = outage == nil
        let since = outage?.since ?? .now
        outage = Outage(since: since, reason: reason)
        // With other connections there, all that is wrong may be that the server has no more to give.
        let hasLasted = since.duration(to: .now) > Self.grace && idle.isEmpty && busy.isEmpty
        let told = reason.isPassing && !hasLasted ? [] : line.removeAll()
        let goesOn = !line.isEmpty && !isClosed && opening == 1
        if !goesOn { opening -= 1 }
        return (told, goesOn, isNews)
    }

    // MARK: Ending

    /// - Returns: What nobody uses, and who waits.
    mutating func close() -> ([PostgresConnection], [Waiter]) {
        isClosed = true
        defer { idle = [] }
        return (idle, line.removeAll())
    }
}
