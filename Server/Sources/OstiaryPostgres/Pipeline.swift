internal import CPQ

/// A connection of libpq's in pipeline mode. Belongs to whoever holds the lock of the ``PostgresConnection``.
struct Pipeline {
    private let connection: OpaquePointer
    private var prepared = PreparedStatements()
    private let prepares: Bool
    /// Written by libpq's callback, which runs within its functions, and so under the lock.
    private let warned: UnsafeMutablePointer<Bool>

    /// - Parameter connection: Connected; this owns it from now on.
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

    /// Nothing can be done with it after this.
    func close() {
        PQfinish(connection)
        warned.deallocate()
    }

    var socket: Int32 { PQsocket(connection) }
    var isBroken: Bool { PQstatus(connection) == CONNECTION_BAD }
    /// Whether the server waits for a statement, outside of any transaction.
    var isIdle: Bool { PQtransactionStatus(connection) == PQTRANS_IDLE }
    /// Whether the server warned of something since the last ``begin()``.
    var hasWarned: Bool { warned.pointee }

    // MARK: Asking

    func begin() { warned.pointee = false }

    /// - Returns: Whether libpq took it.
    mutating func send(_ statement: PostgresStatement, for exchange: inout Exchange) -> Bool {
        let parameters = EncodedParameters(statement.parameters)
        let key = PreparedStatements.Key(sql: statement.sql, types: parameters.types)
        var name: String?
        // "BEGIN" and the like are not worth a name.
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

    /// Ends what was sent: all of it is one transaction.
    func sync() -> Bool { PQpipelineSync(connection) == 1 }

    /// Writes what waits.
    ///
    /// - Returns: Whether all of it is written; nil if the connection is broken.
    func flush() -> Bool? {
        switch PQflush(connection) {
        case 0: true
        case 1: false
        default: nil
        }
    }

    /// What was not prepared after all.
    mutating func forget(_ key: PreparedStatements.Key) { prepared.forget(key) }

    /// Asks the server to give up what it does, some time later.
    func cancel() { Cancelling.cancel(connection) }

    // MARK: Reading

    /// - Returns: False if the connection is broken.
    func consume() -> Bool { PQconsumeInput(connection) == 1 }

    /// The next result, unless more must be read first.
    func next() -> ServerResult? {
        // One nothing stands after the results of every statement; a second one means that nothing was asked.
        for _ in 0..<2 where PQisBusy(connection) == 0 {
            if let result = PQgetResult(connection) { return ServerResult(result) }
        }
        return nil
    }
}

/// Notes the warning of a server that no longer waits for its standby. It has no code of its own, but comes from a function
/// of its own; that numbers of transactions run out is warned of too, and nothing is wrong with the commit then.
private func noteWarning(_ context: UnsafeMutableRawPointer?, _ result: OpaquePointer?) {
    guard let source = PQresultErrorField(result, diagnosticSourceFunction),
        String(cString: source) == "SyncRepWaitForLSN"
    else { return }
    context?.assumingMemoryBound(to: Bool.self).pointee = true
}
