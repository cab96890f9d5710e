internal import CPQ
import Dispatch
import Synchronization

/// One connection in libpq's pipeline mode, with one exchange under way at a time.
///
/// libpq asks that one thread at a time uses a connection: all of that happens under ``state``'s lock. Whoever asks writes
/// on its own thread; a Dispatch source on the socket reads.
final class PostgresConnection: Sendable {
    /// What ends with an answer: statements up to one Sync.
    private struct Exchange {
        /// What every result to come belongs to.
        var expected: [Expectation]
        var answered = 0
        var rows: [PostgresRows] = []
        var failure: PostgresError?
        let commits: Bool
        let deadline: ContinuousClock.Instant
        let finish: @Sendable (Result<[PostgresRows], PostgresError>) -> Void
    }

    private enum Expectation {
        case preparation(sql: String)
        case statement
    }

    /// Unchecked, because libpq's pointer and Dispatch's sources are not Sendable; they are touched under the lock alone.
    private struct State: @unchecked Sendable {
        /// Nil once it is closed.
        var connection: OpaquePointer?
        /// The names of what is prepared, by text.
        var prepared: [String: String] = [:]
        var count = 0
        var exchange: Exchange?
        var reading: (any DispatchSourceRead)?
        /// While there is more to write than the socket takes.
        var writing: (any DispatchSourceWrite)?
        /// Whether the server warned of something since the exchange began. libpq's callback writes it, under the lock.
        let hasWarned: UnsafeMutablePointer<Bool>
    }

    /// Telling an exchange's outcome, which is done without the lock.
    private typealias Telling = @Sendable () -> Void

    let born = ContinuousClock.now
    private let prepares: Bool
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "ostiary.postgres.connection")
    /// Called once, when the connection breaks while nothing is asked of it.
    private let onLoss = Mutex<(@Sendable () -> Void)?>(nil)

    /// - Parameters:
    ///   - connection: Connected; this owns it from now on.
    ///   - prepares: Whether statements are prepared and kept, which is not possible where a pooler stands between.
    init(_ connection: OpaquePointer, prepares: Bool) throws(PostgresError) {
        guard PQsetnonblocking(connection, 1) == 0, PQenterPipelineMode(connection) == 1 else {
            PQfinish(connection)
            throw .unreachable(.noServer("the connection cannot be used"))
        }
        let hasWarned = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
        hasWarned.initialize(to: false)
        PQsetNoticeReceiver(connection, { noteWarning($0, $1) }, hasWarned)
        self.prepares = prepares
        state = Mutex(State(connection: connection, hasWarned: hasWarned))
        state.withLock { state in
            let reading = DispatchSource.makeReadSource(fileDescriptor: PQsocket(connection), queue: queue)
            reading.setEventHandler { [weak self] in self?.read() }
            // The socket stays open as long as it is watched.
            let owned = state
            reading.setCancelHandler {
                PQfinish(owned.connection)
                owned.hasWarned.deallocate()
            }
            reading.resume()
            state.reading = reading
        }
    }

    deinit { close() }

    /// Whether it can be asked something.
    var isUsable: Bool { state.withLock { $0.connection != nil && $0.exchange == nil } }

    func whenLost(_ body: @escaping @Sendable () -> Void) { onLoss.withLock { $0 = body } }

    // MARK: Asking

    /// Runs statements up to one Sync: one transaction, unless they say otherwise.
    ///
    /// - Parameter commits: Whether the outcome is unknown if no answer comes.
    func run(
        _ statements: [PostgresStatement], commits: Bool, until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> [PostgresRows] {
        let result: Result<[PostgresRows], PostgresError> = await withCheckedContinuation { continuation in
            begin(statements, commits: commits, until: deadline) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    private func begin(
        _ statements: [PostgresStatement], commits: Bool, until deadline: ContinuousClock.Instant,
        finish: @escaping @Sendable (Result<[PostgresRows], PostgresError>) -> Void
    ) {
        let telling: Telling? = state.withLock { state in
            guard let connection = state.connection, state.exchange == nil else {
                return { finish(.failure(.unknownOutcome("the connection was lost"))) }
            }
            state.hasWarned.pointee = false
            state.exchange = Exchange(expected: [], commits: commits, deadline: deadline, finish: finish)
            for statement in statements {
                guard send(statement, to: connection, &state) else {
                    return abandon(&state, "it could not be sent")
                }
            }
            guard PQpipelineSync(connection) == 1 else { return abandon(&state, "it could not be sent") }
            return flush(&state)
        }
        telling?()
    }

    private func send(_ statement: PostgresStatement, to connection: OpaquePointer, _ state: inout State) -> Bool {
        let parameters = EncodedParameters(statement.parameters)
        // "BEGIN" and the like are not worth a name.
        guard prepares, !statement.parameters.isEmpty else {
            state.exchange?.expected.append(.statement)
            return parameters.send { count, types, values, lengths, formats in
                PQsendQueryParams(connection, statement.sql, count, types, values, lengths, formats, 1)
            }
        }
        let name: String
        if let known = state.prepared[statement.sql] {
            name = known
        } else {
            state.count += 1
            name = "s\(state.count)"
            state.prepared[statement.sql] = name
            state.exchange?.expected.append(.preparation(sql: statement.sql))
            let isSent = parameters.send { count, types, _, _, _ in
                PQsendPrepare(connection, name, statement.sql, count, types)
            }
            guard isSent else { return false }
        }
        state.exchange?.expected.append(.statement)
        return parameters.send { count, _, values, lengths, formats in
            PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1)
        }
    }

    /// Writes what waits; the rest when the socket takes more.
    private func flush(_ state: inout State) -> Telling? {
        guard let connection = state.connection else { return nil }
        switch PQflush(connection) {
        case 0:
            state.writing?.cancel()
            state.writing = nil
            return nil
        case 1:
            guard state.writing == nil else { return nil }
            let source = DispatchSource.makeWriteSource(fileDescriptor: PQsocket(connection), queue: queue)
            source.setEventHandler { [weak self] in self?.write() }
            source.resume()
            state.writing = source
            return nil
        default: return abandon(&state, "the connection broke")
        }
    }

    private func write() {
        state.withLock { flush(&$0) }?()
    }

    // MARK: Reading

    private func read() {
        let telling: Telling? = state.withLock { state in
            guard let connection = state.connection else { return nil }
            guard PQconsumeInput(connection) == 1 else { return abandon(&state, "the connection broke") }
            if let telling = flush(&state) { return telling }
            guard state.exchange != nil else {
                // Parameters that changed, and notices. An end of the stream shows as a broken connection.
                return PQstatus(connection) == CONNECTION_BAD ? abandon(&state, "the connection broke") : nil
            }
            while PQisBusy(connection) == 0 {
                guard PQstatus(connection) != CONNECTION_BAD else { return abandon(&state, "the connection broke") }
                guard let result = PQgetResult(connection) else { continue }
                if let telling = take(ServerResult(result), &state) { return telling }
            }
            return nil
        }
        telling?()
    }

    private func take(_ result: ServerResult, _ state: inout State) -> Telling? {
        switch PQresultStatus(result.pointer) {
        case PGRES_PIPELINE_SYNC: return complete(&state)
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
            if case .statement = next(&state) { state.exchange?.rows.append(PostgresRows(result)) }
        case PGRES_PIPELINE_ABORTED:
            forget(next(&state), &state)
        default:
            forget(next(&state), &state)
            let failure = ServerFailure(result)
            guard !failure.endsConnection else { return abandon(&state, "the server ended the connection") }
            if state.exchange?.failure == nil { state.exchange?.failure = failure.error }
        }
        return nil
    }

    private func next(_ state: inout State) -> Expectation? {
        guard let exchange = state.exchange, exchange.answered < exchange.expected.count else { return nil }
        state.exchange?.answered += 1
        return exchange.expected[exchange.answered]
    }

    private func forget(_ expectation: Expectation?, _ state: inout State) {
        if case .preparation(let sql) = expectation { state.prepared[sql] = nil }
    }

    private func complete(_ state: inout State) -> Telling? {
        guard let exchange = state.exchange else { return nil }
        state.exchange = nil
        let outcome: Result<[PostgresRows], PostgresError>
        if let failure = exchange.failure {
            outcome = .failure(failure)
        } else if exchange.commits, state.hasWarned.pointee {
            // How a server says that it no longer waits for its standby: done here, and perhaps nowhere else.
            outcome = .failure(.unknownOutcome("it warned while committing"))
        } else {
            outcome = .success(exchange.rows)
        }
        return { exchange.finish(outcome) }
    }

    // MARK: Ending

    /// Ends an exchange whose time is up, and the connection with it.
    ///
    /// A statement that commits is not cancelled: where a commit waits for a standby, cancelling makes it visible without
    /// making it safe. With the connection gone it goes on waiting, unseen.
    ///
    /// - Returns: Whether its time was up.
    func expire(at now: ContinuousClock.Instant) -> Bool {
        let telling: Telling? = state.withLock { state in
            guard let exchange = state.exchange, exchange.deadline <= now else { return nil }
            if !exchange.commits, let connection = state.connection { Cancelling.cancel(connection) }
            return abandon(&state, "no answer came in time")
        }
        telling?()
        return telling != nil
    }

    func close() {
        state.withLock { abandon(&$0, "the connection was closed") }?()
    }

    private func abandon(_ state: inout State, _ reason: String) -> Telling? {
        guard state.connection != nil else { return nil }
        state.connection = nil
        state.writing?.cancel()
        state.writing = nil
        state.reading?.cancel()
        state.reading = nil
        let lost = onLoss.withLock { body in
            defer { body = nil }
            return body
        }
        guard let exchange = state.exchange else { return lost }
        state.exchange = nil
        return { exchange.finish(.failure(.unknownOutcome(reason))) }
    }
}

/// The severity `WARNING` and not `NOTICE`, untranslated.
private func noteWarning(_ context: UnsafeMutableRawPointer?, _ result: OpaquePointer?) {
    guard let severity = PQresultErrorField(result, diagnosticSeverity), String(cString: severity) == "WARNING" else {
        return
    }
    context?.assumingMemoryBound(to: Bool.self).pointee = true
}
