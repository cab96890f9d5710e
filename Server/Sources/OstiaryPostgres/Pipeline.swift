internal import CPQ

/// A libpq connection in pipeline mode. Protected by the lock of the ``PostgresConnection``.
struct Pipeline {
    private let connection: OpaquePointer
    private var prepared = PreparedStatements()
    private let prepares: Bool
    /// Written by libpq's callback, which runs inside libpq's functions and so under the lock.
    private let warned: UnsafeMutablePointer<Bool>

    /// - Parameter connection: An established connection, whose ownership is transferred.
    init?(_ connection: OpaquePointer, prepares: Bool) {
        guard PQsetnonblocking(connection, 1) == 0, PQenterPipelineMode(connection) == 1 else {
            PQfinish(connection)
            return nil
        }
        self.connection = connection
        self.prepares = prepares
        warned = .allocate(capacity: 1)
        warned.initialize(to: false)
        PQsetNoticeReceiver(connection, { noteWarning($0, $1) }, warned)
    }

    /// Closes the connection, which must not be used afterwards.
    func close() {
        PQfinish(connection)
        warned.deallocate()
    }

    var socket: Int32 { PQsocket(connection) }
    var isBroken: Bool { PQstatus(connection) == CONNECTION_BAD }
    /// `true` if the server waits for a statement outside of any transaction.
    var isIdle: Bool { PQtransactionStatus(connection) == PQTRANS_IDLE }
    /// `true` if the server sent the warning of ``noteWarning(_:_:)`` since the last ``begin()``.
    var hasWarned: Bool { warned.pointee }

    // MARK: Sending

    func begin() { warned.pointee = false }

    /// - Returns: `true` if libpq accepted it.
    mutating func send(_ statement: PostgresStatement, for exchange: inout Exchange) -> Bool {
        let parameters = EncodedParameters(statement.parameters)
        let key = PreparedStatements.Key(sql: statement.sql, types: parameters.types)
        var name: String?
        // Statements without parameters, such as "BEGIN", are not worth preparing.
        if prepares, !statement.parameters.isEmpty {
            name = prepared[key]
            if name == nil, let new = prepared.add(key) {
                exchange.expect(.preparation(key))
                guard PQsendPrepare(connection, new, key.sql, Int32(key.types.count), key.types) == 1 else {
                    return false
                }
                name = new
            }
        }
        exchange.expect(.statement)
        return parameters.send { count, values, lengths, formats in
            guard let name else {
                return PQsendQueryParams(connection, key.sql, count, key.types, values, lengths, formats, 1)
            }
            return PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1)
        }
    }

    /// Ends the batch of sent statements: they are one transaction.
    func sync() -> Bool { PQpipelineSync(connection) == 1 }

    /// Writes buffered output.
    ///
    /// - Returns: `true` if everything is written; nil if the connection is broken.
    func flush() -> Bool? {
        switch PQflush(connection) {
        case 0: true
        case 1: false
        default: nil
        }
    }

    /// Removes a statement whose preparation failed.
    mutating func forget(_ key: PreparedStatements.Key) { prepared.forget(key) }

    /// Requests the cancellation of the running statement, asynchronously.
    func cancel() { StatementCanceller.cancel(connection) }

    // MARK: Reading

    /// - Returns: `false` if the connection is broken.
    func consume() -> Bool { PQconsumeInput(connection) == 1 }

    /// Returns the next result, unless more input must be read first.
    func next() -> ServerResult? {
        // libpq returns null once after the results of every statement; a second null means that no statement is
        // pending.
        for _ in 0..<2 where PQisBusy(connection) == 0 {
            if let result = PQgetResult(connection) { return ServerResult(result) }
        }
        return nil
    }
}

/// Records the warning of a server that no longer waits for its standby. It has no code of its own, but originates in a
/// specific function; a warning about transaction id wraparound must not count, since it does not affect the commit.
private func noteWarning(_ context: UnsafeMutableRawPointer?, _ result: OpaquePointer?) {
    guard let source = PQresultErrorField(result, diagnosticSourceFunction),
        String(cString: source) == "SyncRepWaitForLSN"
    else { return }
    context?.assumingMemoryBound(to: Bool.self).pointee = true
}
