internal import CPQ
import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The establishment of a connection.
enum ConnectionEstablishment {
    /// - Parameter patience: The time limit for everything but the name resolution: TCP, TLS, authentication, and the
    ///   check that the server accepts writes.
    static func connect(
        _ server: [String: String], prepares: Bool, within patience: Duration
    ) async throws(PostgresError.Unreachable) -> PostgresConnection {
        let made: Result<PostgresConnection, PostgresError.Unreachable> = await withCheckedContinuation {
            continuation in
            // Resolving a name blocks, despite libpq's documentation. A serial queue has a thread of its own for that;
            // a concurrent one has only as many threads as processors, which also run Swift's tasks.
            DispatchQueue(label: "ostiary.postgres.connecting").async {
                do throws(PostgresError.Unreachable) {
                    continuation.resume(
                        returning: .success(try connectNow(server, prepares: prepares, within: patience)))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try made.get()
    }

    private static func connectNow(
        _ server: [String: String], prepares: Bool, within patience: Duration
    ) throws(PostgresError.Unreachable) -> PostgresConnection {
        guard let connection = start(server) else { throw .noServer("no memory") }
        // The name has been resolved by now, which the time limit does not cover.
        let end = ContinuousClock.now + patience
        var step = PGRES_POLLING_WRITING
        while true {
            guard PQstatus(connection) != CONNECTION_BAD else { break }
            switch step {
            case PGRES_POLLING_OK: return try PostgresConnection(connection, prepares: prepares)
            case PGRES_POLLING_READING, PGRES_POLLING_WRITING:
                guard wait(for: PQsocket(connection), toRead: step == PGRES_POLLING_READING, until: end) else {
                    PQfinish(connection)
                    throw .noServer("\(server["host"] ?? "the server") does not answer in time")
                }
            default: break
            }
            if step == PGRES_POLLING_FAILED { break }
            step = PQconnectPoll(connection)
        }
        let reason = Self.reason(connection, server)
        PQfinish(connection)
        throw reason
    }

    private static func start(_ server: [String: String]) -> OpaquePointer? {
        let names = server.keys.sorted()
        let keywords = names.map { strdup($0) }
        let values = names.map { strdup(server[$0] ?? "") }
        defer { for text in keywords + values { free(text) } }
        let connection = PQconnectStartParams(
            keywords.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 0)
        if let connection {
            PQsetErrorVerbosity(connection, PQERRORS_SQLSTATE)
            // Otherwise libpq writes notices to standard error.
            PQsetNoticeProcessor(connection, { _, _ in }, nil)
        }
        return connection
    }

    /// - Returns: `true` if the socket becomes readable, or writable, before `end`.
    private static func wait(for socket: Int32, toRead: Bool, until end: ContinuousClock.Instant) -> Bool {
        guard socket >= 0 else { return false }
        while true {
            let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
            guard left > 0 else { return false }
            var descriptor = pollfd(fd: socket, events: Int16(toRead ? POLLIN : POLLOUT), revents: 0)
            if poll(&descriptor, 1, Int32(left) + 1) > 0 { return true }
        }
    }

    /// Returns the reason for a failed connection. libpq gives only a text, which contains the server's code, as
    /// requested in ``start(_:)``.
    private static func reason(_ connection: OpaquePointer, _ server: [String: String]) -> PostgresError.Unreachable {
        let words = PQerrorMessage(connection).map { String(cString: $0) } ?? ""
        if let state = SQLState(endOf: words) { return PostgresError.Unreachable(state) }
        let line = words.split(separator: "\n").first.map(String.init) ?? "the connection failed"
        if line.contains("read-only") { return .readOnly }
        // A server that disconnects during the handshake does not indicate a certificate problem.
        let isBroken =
            line.contains("SYSCALL") || line.contains("unexpected eof") || line.contains("closed the connection")
        if !isBroken, line.contains("SSL") || line.contains("certificate") { return .tls(line) }
        return .noServer(line)
    }
}

extension SQLState {
    /// The code at the end of a message of the verbosity `PQERRORS_SQLSTATE`; nil for an error of libpq's own.
    fileprivate init?(endOf words: String) {
        let last = words.split(whereSeparator: \.isWhitespace).suffix(2)
        guard last.count == 2, let severity = last.first, severity.hasSuffix(":"), let code = last.last,
            code.utf8.count == 5, code.utf8.allSatisfy({ (48...57).contains($0) || (65...90).contains($0) })
        else { return nil }
        self.init(String(code))
    }
}

extension PostgresError.Unreachable {
    fileprivate init(_ state: SQLState) {
        switch state {
        case .invalidCatalogName: self = .noSuchDatabase
        case .tooManyConnections: self = .tooManyConnections
        case .cannotConnectNow, .adminShutdown, .crashShutdown: self = .notReady
        case _ where state.category == "28" || state.category == "42": self = .notAllowed(state)
        default: self = .noServer("it refused with SQLSTATE \(state)")
        }
    }
}
