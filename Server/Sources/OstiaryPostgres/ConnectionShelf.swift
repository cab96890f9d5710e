import Dispatch
import Logging
import Synchronization

/// Where connections stand until they are needed, and who waits for one.
final class ConnectionShelf: Sendable {
    /// Why there has been no connection since when.
    private struct Outage {
        let since: ContinuousClock.Instant
        var reason: PostgresError.Unreachable
    }

    private struct State {
        /// The one used last stands last and is taken first.
        var idle: [PostgresConnection] = []
        var busy: [ObjectIdentifier: PostgresConnection] = [:]
        var opening = 0
        var line = Line()
        var outage: Outage?
        var isClosed = false
        var whenClosed: [Telling] = []
        var count: Int { idle.count + busy.count + opening }
    }

    /// Telling others what happened, which is done without the lock.
    private typealias Telling = @Sendable () -> Void

    /// How long an outage may last before nobody waits for its end any more, but is told after the next try.
    private static let grace = Duration.seconds(1)
    /// How many connections are made at the same time.
    private static let openingLimit = 4
    private static let lineLimit = 2_000

    private let limit: Int
    private let servers: Servers
    private let log: Logger
    private let state = Mutex(State())
    private let clock = ExpiryClock()

    init(_ settings: PostgresSettings, log: Logger) {
        limit = settings.maximumConnections
        servers = Servers(settings)
        self.log = log
        clock.start { [weak self] in self?.expire() }
    }

    var counts: (open: Int, busy: Int, waiting: Int) {
        state.withLock { ($0.idle.count + $0.busy.count, $0.busy.count, $0.line.count) }
    }

    // MARK: Lending

    /// A connection, the caller's until ``giveBack(_:after:)``.
    func lease(until deadline: ContinuousClock.Instant) async throws(PostgresError) -> PostgresConnection {
        if let connection = state.withLock({ takeIdle(&$0) }) { return connection }
        let stood = Mutex<Waiter?>(nil)
        let giveUp: Telling = { [self] in
            if let waiter = stood.withLock({ $0 }) { leave(waiter) }
        }
        let outcome: Waiter.Outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = Waiter(until: deadline) { continuation.resume(returning: $0) }
                stood.withLock { $0 = waiter }
                wait(waiter)
                // The handler may have run before there was anybody in the line.
                if Task.isCancelled { giveUp() }
            }
        } onCancel: {
            giveUp()
        }
        return try outcome.get()
    }

    private func takeIdle(_ state: inout State) -> PostgresConnection? {
        // Overtakes nobody: where one is idle, nobody waits.
        while let connection = state.idle.popLast() {
            guard connection.isUsable else { continue }
            state.busy[ObjectIdentifier(connection)] = connection
            return connection
        }
        return nil
    }

    private func wait(_ waiter: Waiter) {
        let telling: Telling = state.withLock { state in
            guard !state.isClosed else { return { waiter.finish(.failure(.closed)) } }
            if let connection = takeIdle(&state) { return { waiter.finish(.success(connection)) } }
            guard state.line.count < Self.lineLimit else { return { waiter.finish(.failure(.overloaded)) } }
            state.line.append(waiter)
            return openIfNeeded(&state)
        }
        telling()
    }

    private func leave(_ waiter: Waiter) {
        guard state.withLock({ $0.line.remove(waiter) }) else { return }
        waiter.finish(.failure(.exhausted))
    }

    /// - Parameter error: What the connection was last good for, if that is an error.
    func giveBack(_ connection: PostgresConnection, after error: PostgresError? = nil) {
        let telling: Telling = state.withLock { state in
            state.busy[ObjectIdentifier(connection)] = nil
            let isCondemned = error?.condemnsConnections == true
            guard connection.isFree, !isCondemned, connection.retires > .now, !state.isClosed else {
                let others = state.idle.filter { other in
                    // Who has answered since shows that only the one is silent.
                    isCondemned || connection.silentSince.map { other.heard < $0 } ?? false
                }
                state.idle.removeAll { idle in others.contains { $0 === idle } }
                let (opening, closing) = (openIfNeeded(&state), closingIfDone(&state))
                return {
                    for connection in others + [connection] { connection.close() }
                    opening()
                    closing()
                }
            }
            // Not the end of an outage that somebody is trying to end, but there is none where all is well again.
            if state.opening == 0 { state.outage = nil }
            return place(connection, &state)
        }
        telling()
    }

    /// Gives a connection to whoever waits longest, or puts it on the shelf.
    private func place(_ connection: PostgresConnection, _ state: inout State) -> Telling {
        guard let waiter = state.line.next() else {
            state.idle.append(connection)
            return {}
        }
        state.busy[ObjectIdentifier(connection)] = connection
        return { waiter.finish(.success(connection)) }
    }

    // MARK: Opening

    private func openIfNeeded(_ state: inout State) -> Telling {
        // In an outage one tries for all.
        let atOnce = state.outage == nil ? Self.openingLimit : 1
        let wanted = min(state.line.count - state.opening, atOnce - state.opening, limit - state.count)
        guard wanted > 0, !state.isClosed else { return {} }
        state.opening += wanted
        return { [self] in
            // Never cancelled: they end when nobody waits any more.
            for _ in 0..<wanted { Task { await open() } }
        }
    }

    private func open() async {
        var pauses = Pauses(first: .milliseconds(20), longest: .milliseconds(500))
        while true {
            do throws(PostgresError.Unreachable) {
                return welcome(try await servers.connect())
            } catch {
                guard goOn(after: error) else { return }
                try? await Task.sleep(for: pauses.next())
            }
        }
    }

    private func welcome(_ connection: PostgresConnection) {
        let telling: Telling = state.withLock { state in
            state.opening -= 1
            if let outage = state.outage {
                let length = outage.since.duration(to: .now) / .milliseconds(1)
                log.notice("PostgreSQL is back", metadata: ["away": "\(length) ms"])
            }
            state.outage = nil
            guard !state.isClosed else { return { connection.close() } }
            let (placing, opening) = (place(connection, &state), openIfNeeded(&state))
            return {
                placing()
                opening()
            }
        }
        telling()
        connection.whenLost { [weak self, weak connection] in
            self?.state.withLock { state in state.idle.removeAll { $0 === connection } }
        }
    }

    /// Tells those who must not wait any longer.
    ///
    /// - Returns: Whether anybody is left to try again for.
    private func goOn(after reason: PostgresError.Unreachable) -> Bool {
        let (told, goesOn): ([Waiter], Bool) = state.withLock { state in
            if state.outage == nil {
                state.outage = Outage(since: .now, reason: reason)
                log.warning("PostgreSQL cannot be reached", metadata: ["reason": "\(reason)"])
            }
            state.outage?.reason = reason
            let hasLasted = state.outage.map { $0.since.duration(to: .now) > Self.grace } ?? false
            // With other connections there, all that is wrong may be that the server has no more to give.
            let isHopeless = !reason.isPassing || (hasLasted && state.idle.isEmpty && state.busy.isEmpty)
            let told = isHopeless ? state.line.removeAll() : []
            let goesOn = !state.line.isEmpty && !state.isClosed && state.opening == 1
            if !goesOn { state.opening -= 1 }
            return (told, goesOn)
        }
        for waiter in told { waiter.finish(.failure(.unreachable(reason))) }
        return goesOn
    }

    // MARK: Ending

    private func expire() {
        let now = ContinuousClock.now
        let (busy, late, error): ([PostgresConnection], [Waiter], PostgresError) = state.withLock { state in
            let error = state.outage.map { PostgresError.unreachable($0.reason) } ?? .exhausted
            return (Array(state.busy.values), state.line.removeAll(until: now), error)
        }
        for waiter in late { waiter.finish(.failure(error)) }
        for connection in busy { connection.expire(at: now) }
    }

    /// Refuses further calls and returns when those under way have ended.
    func close() async {
        await withCheckedContinuation { continuation in
            abandon { continuation.resume() }
        }
    }

    /// Closes what nobody uses any more, without waiting for the rest.
    ///
    /// - Parameter body: Called when there is no rest.
    func abandon(_ body: @escaping @Sendable () -> Void = {}) {
        let telling: Telling = state.withLock { state in
            state.isClosed = true
            let (idle, waiters) = (state.idle, state.line.removeAll())
            state.idle = []
            state.whenClosed.append(body)
            let closing = closingIfDone(&state)
            return {
                for connection in idle { connection.close() }
                for waiter in waiters { waiter.finish(.failure(.closed)) }
                closing()
            }
        }
        telling()
    }

    private func closingIfDone(_ state: inout State) -> Telling {
        guard state.isClosed, state.busy.isEmpty else { return {} }
        let whenClosed = state.whenClosed
        state.whenClosed = []
        return { [clock] in
            clock.stop()
            for body in whenClosed { body() }
        }
    }
}
