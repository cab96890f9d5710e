import Dispatch
import Logging
import Synchronization

/// Where connections stand until they are needed, and who waits for one.
final class ConnectionShelf: Sendable {
    private struct Waiter {
        let deadline: ContinuousClock.Instant
        let finish: @Sendable (Result<PostgresConnection, PostgresError>) -> Void
    }

    /// Why there has been no connection since when.
    private struct Outage {
        let since: ContinuousClock.Instant
        var reason: PostgresError.Unreachable
    }

    private struct State {
        /// The one used last stands last and is taken first, so that the others' age shows.
        var idle: [PostgresConnection] = []
        var busy: [ObjectIdentifier: PostgresConnection] = [:]
        var opening = 0
        var waiters: [Waiter] = []
        var outage: Outage?
        /// The server that let us in last.
        var preferred = 0
        var isClosed = false
        var whenClosed: [@Sendable () -> Void] = []
        var count: Int { idle.count + busy.count + opening }
    }

    private typealias Telling = @Sendable () -> Void

    /// How long one server may take to let us in.
    private static let connectPatience = Duration.seconds(1)
    /// How long an outage may last before nobody waits for its end any more, but is told after the next try.
    private static let grace = Duration.seconds(1)
    /// How many connections are made at the same time.
    private static let openingLimit = 4
    private static let waiterLimit = 2_000
    /// A connection's life, so that load spreads again after a failover.
    private static let lifetime = Duration.seconds(1800)

    private let settings: PostgresSettings
    private let log: Logger
    private let state = Mutex(State())
    private let clock: ExpiryClock

    init(_ settings: PostgresSettings, log: Logger) {
        self.settings = settings
        self.log = log
        clock = ExpiryClock()
        clock.start { [weak self] in self?.expire() }
    }

    var counts: (open: Int, busy: Int, waiting: Int) {
        state.withLock { ($0.idle.count + $0.busy.count, $0.busy.count, $0.waiters.count) }
    }

    // MARK: Lending

    func lease(until deadline: ContinuousClock.Instant) async throws(PostgresError) -> PostgresConnection {
        let result: Result<PostgresConnection, PostgresError> = await withCheckedContinuation { continuation in
            lease(Waiter(deadline: deadline) { continuation.resume(returning: $0) })
        }
        return try result.get()
    }

    private func lease(_ waiter: Waiter) {
        let telling: Telling = state.withLock { state in
            guard !state.isClosed else { return { waiter.finish(.failure(.closed)) } }
            while let connection = state.idle.popLast() {
                guard connection.isUsable else { continue }
                state.busy[ObjectIdentifier(connection)] = connection
                return { waiter.finish(.success(connection)) }
            }
            guard state.waiters.count < Self.waiterLimit else { return { waiter.finish(.failure(.overloaded)) } }
            state.waiters.append(waiter)
            return openIfNeeded(&state)
        }
        telling()
    }

    func giveBack(_ connection: PostgresConnection, after error: PostgresError? = nil) {
        let telling: Telling = state.withLock { state in
            state.busy[ObjectIdentifier(connection)] = nil
            let condemns = error?.condemnsConnection == true
            let isTooOld = connection.born.duration(to: .now) > Self.lifetime
            guard connection.isUsable, !condemns, !isTooOld, !state.isClosed else {
                // A server that is silent, or reads only, is so to the others too.
                let others = condemns ? state.idle : []
                if condemns { state.idle = [] }
                let opening = openIfNeeded(&state)
                let closing = closingIfDone(&state)
                return {
                    for connection in others + [connection] { connection.close() }
                    opening()
                    closing()
                }
            }
            return place(connection, &state)
        }
        telling()
    }

    /// Gives a connection to whoever waits longest, or puts it on the shelf.
    private func place(_ connection: PostgresConnection, _ state: inout State) -> Telling {
        guard !state.waiters.isEmpty else {
            state.idle.append(connection)
            return {}
        }
        let waiter = state.waiters.removeFirst()
        state.busy[ObjectIdentifier(connection)] = connection
        return { waiter.finish(.success(connection)) }
    }

    // MARK: Opening

    private func openIfNeeded(_ state: inout State) -> Telling {
        // In an outage one tries for all.
        let limit = state.outage == nil ? Self.openingLimit : 1
        let wanted = min(
            state.waiters.count - state.opening, limit - state.opening, settings.maximumConnections - state.count)
        guard wanted > 0, !state.isClosed else { return {} }
        state.opening += wanted
        return { [self] in
            for _ in 0..<wanted { Task { await open() } }
        }
    }

    private func open() async {
        var pauses = Pauses(first: .milliseconds(20), longest: .milliseconds(500))
        while true {
            do throws(PostgresError) {
                let connection = try await connect()
                let telling: Telling = state.withLock { state in
                    state.opening -= 1
                    if let outage = state.outage { report(endOf: outage) }
                    state.outage = nil
                    guard !state.isClosed else {
                        let closing = closingIfDone(&state)
                        return {
                            connection.close()
                            closing()
                        }
                    }
                    let placing = place(connection, &state)
                    let opening = openIfNeeded(&state)
                    return {
                        placing()
                        opening()
                    }
                }
                connection.whenLost { [weak self, weak connection] in
                    if let self, let connection { self.remove(connection) }
                }
                return telling()
            } catch {
                guard case .unreachable(let reason) = error else { continue }
                guard goOn(after: reason) else { return }
                // Waiting ends with the process at the latest; a task here is never cancelled.
                try? await Task.sleep(for: pauses.next())
            }
        }
    }

    /// Tells those who must not wait any longer.
    ///
    /// - Returns: Whether anybody is left to try again for.
    private func goOn(after reason: PostgresError.Unreachable) -> Bool {
        let (telling, goesOn): (Telling, Bool) = state.withLock { state in
            let now = ContinuousClock.now
            if state.outage == nil {
                state.outage = Outage(since: now, reason: reason)
                log.warning("PostgreSQL cannot be reached", metadata: ["reason": "\(reason)"])
            }
            state.outage?.reason = reason
            var lost: [Waiter] = []
            let hasLasted = state.outage.map { $0.since.duration(to: now) > Self.grace } ?? false
            // With other connections there, all that is wrong may be that the server has no more to give.
            if !reason.isPassing || (hasLasted && state.idle.isEmpty && state.busy.isEmpty) {
                (lost, state.waiters) = (state.waiters, [])
            }
            let isNeeded = !state.waiters.isEmpty && !state.isClosed
            if !isNeeded { state.opening -= 1 }
            let closing = closingIfDone(&state)
            return (
                { [lost] in
                    for waiter in lost { waiter.finish(.failure(.unreachable(reason))) }
                    closing()
                }, isNeeded
            )
        }
        telling()
        return goesOn
    }

    private func report(endOf outage: Outage) {
        log.notice(
            "PostgreSQL is back", metadata: ["away": "\(outage.since.duration(to: .now) / .milliseconds(1)) ms"])
    }

    /// Asks one server after the other, beginning with the one that let us in last.
    private func connect() async throws(PostgresError) -> PostgresConnection {
        let first = state.withLock { $0.preferred }
        var worst = PostgresError.unreachable(.noServer("there is no server to ask"))
        for offset in settings.servers.indices {
            let index = (first + offset) % settings.servers.count
            do throws(PostgresError) {
                let connection = try await Connecting.connect(
                    settings.servers[index], prepares: !settings.hasTransactionPooler, within: Self.connectPatience)
                state.withLock { $0.preferred = index }
                return connection
            } catch {
                // What somebody has to mend says more than a server that is away.
                if offset == 0 || error.saysMore(than: worst) { worst = error }
            }
        }
        throw worst
    }

    private func remove(_ connection: PostgresConnection) {
        state.withLock { state in state.idle.removeAll { $0 === connection } }
    }

    // MARK: Time

    private func expire() {
        let now = ContinuousClock.now
        let (busy, late): ([PostgresConnection], [(Waiter, PostgresError)]) = state.withLock { state in
            let late = state.waiters.filter { $0.deadline <= now }
            state.waiters.removeAll { $0.deadline <= now }
            let error = state.outage.map { PostgresError.unreachable($0.reason) } ?? .exhausted
            return (Array(state.busy.values), late.map { ($0, error) })
        }
        for (waiter, error) in late { waiter.finish(.failure(error)) }
        for connection in busy { _ = connection.expire(at: now) }
    }

    // MARK: Closing

    func close() async {
        await withCheckedContinuation { continuation in
            let telling: Telling = state.withLock { state in
                state.isClosed = true
                let (idle, waiters) = (state.idle, state.waiters)
                (state.idle, state.waiters) = ([], [])
                state.whenClosed.append { continuation.resume() }
                let closing = closingIfDone(&state)
                return {
                    for connection in idle { connection.close() }
                    for waiter in waiters { waiter.finish(.failure(.closed)) }
                    closing()
                }
            }
            telling()
        }
    }

    /// Closes what nobody uses any more, without waiting.
    func abandon() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        for connection in idle { connection.close() }
        clock.stop()
    }

    private func closingIfDone(_ state: inout State) -> Telling {
        guard state.isClosed, state.busy.isEmpty, state.opening == 0 else { return {} }
        let whenClosed = state.whenClosed
        state.whenClosed = []
        return { [clock] in
            clock.stop()
            for body in whenClosed { body() }
        }
    }
}

extension PostgresError {
    fileprivate func saysMore(than other: PostgresError) -> Bool {
        guard case .unreachable(let this) = self, case .unreachable(let other) = other else { return false }
        if this.isPassing != other.isPassing { return !this.isPassing }
        if case .noServer = other { return true }
        return false
    }
}
