internal import CPQ
import Synchronization

/// One connection with one exchange under way at a time.
///
/// libpq asks that one thread at a time uses a connection: all of that happens under ``state``'s lock. Whoever asks writes
/// on its own thread; Dispatch says when there is something to read.
final class PostgresConnection: Sendable {
    private struct State {
        /// Nil once it is closed.
        var pipeline: Pipeline?
        var watch: SocketWatch?
        var exchange: Exchange?
        var heard = ContinuousClock.now
        var silentSince: ContinuousClock.Instant?
        var whenLost: Telling?
    }

    /// Telling others what happened, which is done without the lock.
    private typealias Telling = @Sendable () -> Void

    /// When it is to be replaced, so that load spreads again after a failover; not all at the same moment.
    let retires = ContinuousClock.now + .seconds(1800) * Double.random(in: 0.75...1)
    private let state: Mutex<State>

    /// - Parameters:
    ///   - connection: Connected; this owns it from now on.
    ///   - prepares: Whether statements are prepared and kept, which is not possible where a pooler stands between.
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

    // MARK: How it stands

    /// Whether it can be asked something.
    var isUsable: Bool { state.withLock { $0.pipeline != nil && $0.exchange == nil } }

    /// Whether somebody else can be given it: no transaction was left open.
    var isFree: Bool { state.withLock { $0.exchange == nil && $0.pipeline?.isIdle == true } }

    /// When it was asked what it has not answered in all the time there was.
    var silentSince: ContinuousClock.Instant? { state.withLock { $0.silentSince } }
    /// When it was connected, or answered last.
    var heard: ContinuousClock.Instant { state.withLock { $0.heard } }

    /// Calls `body` once, when the connection breaks while nothing is asked of it; at once if it has.
    func whenLost(_ body: @escaping @Sendable () -> Void) {
        let isLost = state.withLock { state in
            guard state.pipeline != nil else { return true }
            state.whenLost = body
            return false
        }
        if isLost { body() }
    }

    // MARK: Asking

    /// Runs statements up to one Sync: one transaction, unless they say otherwise.
    ///
    /// Unless it commits, it is given up soon after the calling task is cancelled.
    ///
    /// - Parameter commits: Whether the outcome is unknown if no answer comes.
    func run(
        _ statements: [PostgresStatement], commits: Bool, until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> [PostgresRows] {
        let outcome: Exchange.Outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                begin(statements, Exchange(commits: commits, until: deadline) { continuation.resume(returning: $0) })
                // The handler may have run before there was anything to give up.
                if Task.isCancelled { giveUp() }
            }
        } onCancel: {
            giveUp()
        }
        return try outcome.get()
    }

    private func begin(_ statements: [PostgresStatement], _ asked: Exchange) {
        let telling: Telling? = state.withLock { state in
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
        telling?()
    }

    /// Writes what waits; the rest when the socket takes more.
    ///
    /// - Returns: Nil, unless that ends the connection.
    private func flush(_ state: inout State) -> Telling? {
        guard let isDone = state.pipeline?.flush() else { return end(&state, "the connection broke") }
        state.watch?.watchWriting(!isDone)
        return nil
    }

    private func write() { state.withLock { state in state.pipeline == nil ? nil : flush(&state) }?() }

    // MARK: Reading

    private func read() {
        let telling: Telling? = state.withLock { state in
            guard let pipeline = state.pipeline else { return nil }
            guard pipeline.consume() else { return end(&state, "the connection broke") }
            if let telling = flush(&state) { return telling }
            // Also where nothing is asked: parameters that change, and notices.
            while let result = pipeline.next() {
                if let telling = take(result, &state) { return telling }
            }
            return pipeline.isBroken ? end(&state, "the connection broke") : nil
        }
        telling?()
    }

    /// - Returns: Nil, unless the exchange ends with this result.
    private func take(_ result: ServerResult, _ state: inout State) -> Telling? {
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

    private func complete(_ state: inout State) -> Telling? {
        guard let exchange = state.exchange else { return nil }
        (state.exchange, state.heard) = (nil, .now)
        let outcome = exchange.outcome(hasWarned: state.pipeline?.hasWarned == true)
        return { exchange.finish(outcome) }
    }

    // MARK: Ending

    /// Brings the deadline of what is under way forward, but not to this moment: an answer that is about to come still does,
    /// and whoever asks and goes away again and again does not cost a connection each time.
    private func giveUp() {
        state.withLock { state in
            guard let exchange = state.exchange, !exchange.commits else { return }
            state.exchange?.deadline = min(exchange.deadline, .now + .milliseconds(100))
            state.exchange?.isGivenUp = true
        }
    }

    /// Ends an exchange whose time is up, and the connection with it.
    ///
    /// A statement that commits is not cancelled: where a commit waits for a standby, cancelling makes it visible without
    /// making it safe. With the connection gone it goes on waiting, unseen.
    func expire(at now: ContinuousClock.Instant) {
        // libpq may have left bytes with OpenSSL, of which the socket says nothing more.
        read()
        let telling: Telling? = state.withLock { state in
            guard let exchange = state.exchange, exchange.deadline <= now else { return nil }
            if !exchange.isGivenUp { state.silentSince = exchange.begun }
            if !exchange.commits { state.pipeline?.cancel() }
            return end(&state, exchange.isGivenUp ? "nobody waited for it any more" : "no answer came in time")
        }
        telling?()
    }

    func close() { state.withLock { end(&$0, "the connection was closed") }() }

    private func end(_ state: inout State, _ reason: String) -> Telling {
        guard let pipeline = state.pipeline else { return {} }
        state.watch?.end()
        (state.pipeline, state.watch) = (nil, nil)
        pipeline.close()
        let (exchange, lost) = (state.exchange, state.whenLost)
        (state.exchange, state.whenLost) = (nil, nil)
        guard let exchange else { return lost ?? {} }
        return { exchange.finish(.failure(.unknownOutcome(reason))) }
    }
}
