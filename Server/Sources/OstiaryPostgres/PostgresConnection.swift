internal import CPQ
import Synchronization

/// A connection with at most one exchange in progress.
///
/// libpq requires that only one thread at a time uses a connection: all use happens under ``state``'s lock. A caller
/// writes on its own thread; Dispatch reports when there is input to read.
final class PostgresConnection: Sendable {
    private struct State {
        /// Nil once the connection is closed.
        var pipeline: Pipeline?
        var watch: SocketWatch?
        var exchange: Exchange?
        var heard = ContinuousClock.now
        var silentSince: ContinuousClock.Instant?
        var onLoss: Completion?
    }

    /// A callback to run after the lock is released.
    private typealias Completion = @Sendable () -> Void

    /// The time to replace the connection, so that load spreads again after a failover; randomized, so that not all are
    /// replaced at the same moment.
    let retires = ContinuousClock.now + .seconds(1800) * Double.random(in: 0.75...1)
    private let state: Mutex<State>

    /// - Parameters:
    ///   - connection: An established connection, whose ownership is transferred.
    ///   - prepares: `true` if statements are prepared and kept, which is not possible behind a transaction pooler.
    init(_ connection: sending OpaquePointer, prepares: Bool) throws(PostgresError.Unreachable) {
        guard let pipeline = Pipeline(connection, prepares: prepares) else {
            throw .noServer("the connection cannot be used")
        }
        let socket = pipeline.socket
        state = Mutex(State(pipeline: pipeline))
        let isWatched = state.withLock { state in
            state.watch = SocketWatch(
                socket, readable: { [weak self] in self?.read() }, writable: { [weak self] in self?.write() })
            return state.watch != nil
        }
        guard isWatched else { throw .noServer("there are no file descriptors left") }
    }

    deinit { close() }

    // MARK: State

    /// `true` if the connection is open and no exchange is in progress.
    var isUsable: Bool { state.withLock { $0.pipeline != nil && $0.exchange == nil } }

    /// `true` if the connection can be reused by another caller: no exchange and no transaction is open.
    var isFree: Bool { state.withLock { $0.exchange == nil && $0.pipeline?.isIdle == true } }

    /// The start of the exchange that got no answer before its deadline.
    var silentSince: ContinuousClock.Instant? { state.withLock { $0.silentSince } }
    /// The time of the connection's establishment, or of the last answer.
    var heard: ContinuousClock.Instant { state.withLock { $0.heard } }

    /// Calls `body` once, when the connection breaks while idle; immediately if it is already closed.
    func onLoss(_ body: @escaping @Sendable () -> Void) {
        let isLost = state.withLock { state in
            guard state.pipeline != nil else { return true }
            state.onLoss = body
            return false
        }
        if isLost { body() }
    }

    // MARK: Sending

    /// Runs statements up to one Sync: one transaction, unless they say otherwise.
    ///
    /// An exchange that does not commit is abandoned soon after the calling task is cancelled.
    ///
    /// - Parameter commits: `true` if the outcome is unknown when no answer arrives.
    func run(
        _ statements: [PostgresStatement], commits: Bool, until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> [PostgresRows] {
        let outcome: Exchange.Outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                begin(statements, Exchange(commits: commits, until: deadline) { continuation.resume(returning: $0) })
                // The handler may have run before there was an exchange to abandon.
                if Task.isCancelled { giveUp() }
            }
        } onCancel: {
            giveUp()
        }
        return try outcome.get()
    }

    private func begin(_ statements: [PostgresStatement], _ asked: Exchange) {
        let completion: Completion? = state.withLock { state in
            guard state.exchange == nil, state.pipeline != nil else {
                return { asked.finish(.failure(.unknownOutcome("the connection was lost"))) }
            }
            var exchange = asked
            state.pipeline?.begin()
            let isSent =
                statements.allSatisfy { state.pipeline?.send($0, for: &exchange) == true }
                && state.pipeline?.sync() == true
            state.exchange = exchange
            return isSent ? flush(&state) : end(&state, "it could not be sent")
        }
        completion?()
    }

    /// Writes buffered output; the rest when the socket becomes writable.
    ///
    /// - Returns: Nil, unless that ends the connection.
    private func flush(_ state: inout State) -> Completion? {
        guard let isDone = state.pipeline?.flush() else { return end(&state, "the connection broke") }
        state.watch?.watchWriting(!isDone)
        return nil
    }

    private func write() { state.withLock { state in state.pipeline == nil ? nil : flush(&state) }?() }

    // MARK: Reading

    private func read() {
        let completion: Completion? = state.withLock { state in
            guard let pipeline = state.pipeline else { return nil }
            guard pipeline.consume() else { return end(&state, "the connection broke") }
            if let completion = flush(&state) { return completion }
            // Also without an exchange: parameter changes and notices.
            while let result = pipeline.next() {
                if let completion = take(result, &state) { return completion }
            }
            return pipeline.isBroken ? end(&state, "the connection broke") : nil
        }
        completion?()
    }

    /// - Returns: Nil, unless the exchange ends with this result.
    private func take(_ result: ServerResult, _ state: inout State) -> Completion? {
        let status = PQresultStatus(result.pointer)
        if status == PGRES_PIPELINE_SYNC { return complete(&state) }
        let expectation = state.exchange?.next()
        switch status {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
            if case .statement = expectation { state.exchange?.add(result) }
            return nil
        case PGRES_PIPELINE_ABORTED: break
        default:
            let failure = ServerFailure(result)
            guard !failure.endsConnection else { return end(&state, "the server ended the connection") }
            state.exchange?.fail(failure.error)
        }
        if case .preparation(let key) = expectation { state.pipeline?.forget(key) }
        return nil
    }

    private func complete(_ state: inout State) -> Completion? {
        guard let exchange = state.exchange else { return nil }
        (state.exchange, state.heard) = (nil, .now)
        let outcome = exchange.outcome(hasWarned: state.pipeline?.hasWarned == true)
        return { exchange.finish(outcome) }
    }

    // MARK: Closing

    /// Shortens the deadline of the exchange in progress, but to 100 ms from now: an imminent answer still arrives, and
    /// a caller that is cancelled again and again does not cost a connection each time.
    private func giveUp() {
        state.withLock { state in
            guard let exchange = state.exchange, !exchange.commits else { return }
            state.exchange?.deadline = min(exchange.deadline, .now + .milliseconds(100))
            state.exchange?.isGivenUp = true
        }
    }

    /// Ends an exchange whose deadline has passed, and closes the connection.
    ///
    /// A statement that commits is not cancelled: where a commit waits for a standby, cancelling makes it visible
    /// without making it durable there. With the connection closed, it continues to wait, invisible to others.
    func expire(at now: ContinuousClock.Instant) {
        // libpq may have left bytes in OpenSSL's buffer, which the socket no longer reports as readable.
        read()
        let completion: Completion? = state.withLock { state in
            guard let exchange = state.exchange, exchange.deadline <= now else { return nil }
            if !exchange.isGivenUp { state.silentSince = exchange.begun }
            if !exchange.commits { state.pipeline?.cancel() }
            return end(&state, exchange.isGivenUp ? "its caller no longer waited" : "no answer came in time")
        }
        completion?()
    }

    func close() { state.withLock { end(&$0, "the connection was closed") }() }

    private func end(_ state: inout State, _ reason: String) -> Completion {
        guard let pipeline = state.pipeline else { return {} }
        state.watch?.end()
        (state.pipeline, state.watch) = (nil, nil)
        pipeline.close()
        let (exchange, lost) = (state.exchange, state.onLoss)
        (state.exchange, state.onLoss) = (nil, nil)
        guard let exchange else { return lost ?? {} }
        return { exchange.finish(.failure(.unknownOutcome(reason))) }
    }
}
