import Dispatch
import Logging
import Synchronization

/// The pool's idle connections and the queue of callers that wait for one.
final class ConnectionPool: Sendable {
    /// A callback to run after the lock is released.
    private typealias Completion = @Sendable () -> Void

    private let limit: Int
    private let servers: Servers
    private let log: Logger
    private let state = Mutex(ConnectionPoolState())
    private let whenDone = Mutex<[Completion]>([])
    private let clock = ExpiryClock()

    init(_ settings: PostgresSettings, log: Logger) {
        limit = settings.maximumConnections
        servers = Servers(settings)
        self.log = log
        clock.start { [weak self] in self?.expire() }
    }

    var counts: (open: Int, busy: Int, waiting: Int) {
        state.withLock { ($0.idle.count + $0.busy.count, $0.busy.count, $0.waitQueue.count) }
    }

    // MARK: Leases

    /// Returns a connection for the exclusive use of the caller until ``giveBack(_:after:)``.
    func lease(until deadline: ContinuousClock.Instant) async throws(PostgresError) -> PostgresConnection {
        if let connection = state.withLock({ $0.takeIdle() }) { return connection }
        let stood = Mutex<Waiter?>(nil)
        let giveUp: Completion = { [self] in
            if let waiter = stood.withLock({ $0 }) { leave(waiter) }
        }
        let outcome: Waiter.Outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = Waiter(until: deadline) { continuation.resume(returning: $0) }
                stood.withLock { $0 = waiter }
                wait(waiter)
                // The handler may have run before the waiter was registered.
                if Task.isCancelled { giveUp() }
            }
        } onCancel: {
            giveUp()
        }
        return try outcome.get()
    }

    private func wait(_ waiter: Waiter) {
        let completion: Completion = state.withLock { state in
            if state.isClosed { return { waiter.finish(.failure(.closed)) } }
            if let connection = state.takeIdle() { return { waiter.finish(.success(connection)) } }
            if state.isWaitQueueFull { return { waiter.finish(.failure(.overloaded)) } }
            state.waitQueue.append(waiter)
            return opening(&state)
        }
        completion()
    }

    private func leave(_ waiter: Waiter) {
        guard state.withLock({ $0.waitQueue.remove(waiter) }) else { return }
        waiter.finish(.failure(.exhausted))
    }

    /// Returns a connection to the pool.
    ///
    /// - Parameter error: The error of the last use of the connection, if any.
    func giveBack(_ connection: PostgresConnection, after error: PostgresError? = nil) {
        let completion: Completion = state.withLock { state in
            let closed = state.take(back: connection, after: error)
            if closed.isEmpty { return placing(connection, &state) }
            let opening = opening(&state)
            return {
                for connection in closed { connection.close() }
                opening()
            }
        }
        completion()
        endIfDone()
    }

    private func placing(_ connection: PostgresConnection, _ state: inout ConnectionPoolState) -> Completion {
        guard let waiter = state.place(connection) else { return {} }
        return { waiter.finish(.success(connection)) }
    }

    // MARK: Opening

    private func opening(_ state: inout ConnectionPoolState) -> Completion {
        let count = state.takeOpenings(of: limit)
        return { [self] in
            // Never cancelled: they end when no caller waits any more.
            for _ in 0..<count { Task { await open() } }
        }
    }

    private func open() async {
        var backoff = Backoff(first: .milliseconds(20), longest: .milliseconds(500))
        while true {
            do throws(PostgresError.Unreachable) {
                return adopt(try await servers.connect())
            } catch {
                guard shouldContinue(after: error) else { return }
                try? await Task.sleep(for: backoff.next())
            }
        }
    }

    private func adopt(_ connection: PostgresConnection) {
        let (completion, outage): (Completion, ConnectionPoolState.Outage?) = state.withLock { state in
            let outage = state.noteOpened()
            guard !state.isClosed else { return ({ connection.close() }, outage) }
            let (placing, opening) = (placing(connection, &state), opening(&state))
            return (
                {
                    placing()
                    opening()
                }, outage
            )
        }
        if let outage {
            let length = outage.since.duration(to: .now) / .milliseconds(1)
            log.notice("PostgreSQL is reachable again", metadata: ["away": "\(length) ms"])
        }
        completion()
        connection.onLoss { [weak self, weak connection] in
            if let self, let connection { state.withLock { $0.remove(connection) } }
        }
        endIfDone()
    }

    /// - Returns: `true` if a caller is left to try again for.
    private func shouldContinue(after reason: PostgresError.Unreachable) -> Bool {
        let (told, goesOn, isNews) = state.withLock { $0.noteFailure(reason) }
        if isNews { log.warning("PostgreSQL cannot be reached", metadata: ["reason": "\(reason)"]) }
        for waiter in told { waiter.finish(.failure(.unreachable(reason))) }
        if !goesOn { endIfDone() }
        return goesOn
    }

    // MARK: Closing

    private func expire() {
        let now = ContinuousClock.now
        let (busy, late, error): ([PostgresConnection], [Waiter], PostgresError) = state.withLock { state in
            let error = state.outage.map { PostgresError.unreachable($0.reason) } ?? .exhausted
            return (Array(state.busy.values), state.waitQueue.removeAll(until: now), error)
        }
        for waiter in late { waiter.finish(.failure(error)) }
        for connection in busy { connection.expire(at: now) }
    }

    /// The time that closing waits for a connection in progress. A process that exits during a handshake unloads
    /// OpenSSL underneath it and crashes.
    private static let closingPatience = DispatchTimeInterval.seconds(2)

    /// Refuses further calls and returns when those in progress have ended.
    func close() async {
        await withCheckedContinuation { continuation in
            abandon { continuation.resume() }
        }
    }

    /// Refuses further calls and closes the idle connections, without waiting for the busy ones.
    ///
    /// - Parameter body: Called when no connection is busy any more and none is being opened; the latter is waited for
    ///   at most ``closingPatience``.
    func abandon(_ body: @escaping @Sendable () -> Void = {}) {
        whenDone.withLock { $0.append(body) }
        let (idle, waiters) = state.withLock { $0.close() }
        for connection in idle { connection.close() }
        for waiter in waiters { waiter.finish(.failure(.closed)) }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.closingPatience) { [weak self] in
            self?.state.withLock { $0.awaitsOpenings = false }
            self?.endIfDone()
        }
        endIfDone()
    }

    private func endIfDone() {
        guard state.withLock({ $0.isDone }) else { return }
        clock.stop()
        let bodies = whenDone.withLock { bodies in
            defer { bodies = [] }
            return bodies
        }
        for body in bodies { body() }
    }
}
