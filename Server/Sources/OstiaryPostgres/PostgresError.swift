/// A reason that a statement failed, or that its outcome is unknown. Contains no value of any row or parameter.
package enum PostgresError: Error, Hashable, Sendable {
    /// No connection could be established; no statement was sent.
    case unreachable(Unreachable)
    /// No connection became free in time; no statement was sent.
    case exhausted
    /// The queue of callers that wait for a connection is full; no statement was sent.
    case overloaded
    /// The connection was lost, or the deadline passed, during the statement: whether it took effect is unknown.
    case unknownOutcome(String)
    /// The server refused the statement, which had no effect.
    case refused(SQLState, constraint: String?)
    /// A text contains NUL, which PostgreSQL cannot store.
    case unkeepable
    /// A column does not have the requested type.
    case mismatch(column: Int)
    /// The pool is closed, or the transaction has ended.
    case closed

    /// A reason that no connection could be established.
    package enum Unreachable: Error, Hashable {
        /// No host answers.
        case noServer(String)
        /// User, password or the right to connect was refused, or the server's rules for hosts and TLS.
        case notAllowed(SQLState)
        case noSuchDatabase
        /// TLS could not be negotiated, or the certificate is not trusted.
        case tls(String)
        /// Every server that answers is read-only: a standby, or one configured so.
        case readOnly
        /// The server has reached its connection limit.
        case tooManyConnections
        /// The server is starting, stopping or recovering.
        case notReady

        /// `true` if a retry shortly afterwards can succeed without an operator's intervention.
        package var isPassing: Bool {
            switch self {
            case .noServer, .readOnly, .tooManyConnections, .notReady: true
            case .notAllowed, .noSuchDatabase, .tls: false
            }
        }
    }
}

/// A five-character error code. Source: PostgreSQL documentation, appendix A.
package struct SQLState: Hashable, Sendable, CustomStringConvertible {
    package let code: String

    package init(_ code: String) { self.code = code }

    package var description: String { code }
    /// The error class: the first two characters.
    package var category: Substring { code.prefix(2) }

    package static let uniqueViolation = SQLState("23505")
    package static let foreignKeyViolation = SQLState("23503")
    package static let serializationFailure = SQLState("40001")
    package static let deadlockDetected = SQLState("40P01")
    package static let lockNotAvailable = SQLState("55P03")
    package static let readOnlyTransaction = SQLState("25006")
    package static let tooManyConnections = SQLState("53300")
    package static let undefinedTable = SQLState("42P01")
    package static let undefinedStatement = SQLState("26000")
    package static let featureNotSupported = SQLState("0A000")
    package static let invalidCatalogName = SQLState("3D000")
    package static let adminShutdown = SQLState("57P01")
    package static let crashShutdown = SQLState("57P02")
    package static let cannotConnectNow = SQLState("57P03")
}

extension PostgresError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreachable(let reason): reason.description
        case .exhausted: "No connection to PostgreSQL became free in time."
        case .overloaded: "Too many callers wait for a connection to PostgreSQL."
        case .unknownOutcome(let reason): "PostgreSQL did not report the outcome of the statement: \(reason)."
        case .refused(let state, let constraint):
            "PostgreSQL refused with SQLSTATE \(state)\(constraint.map { " (\($0))" } ?? "")."
        case .unkeepable: "A text contains NUL, which PostgreSQL cannot store."
        case .mismatch(let column): "Column \(column) of an answer is not of the type that was asked for."
        case .closed: "The connections to PostgreSQL are closed."
        }
    }
}

extension PostgresError.Unreachable: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noServer(let reason): "PostgreSQL cannot be reached: \(reason)."
        case .notAllowed(let state):
            "PostgreSQL refused the user, the password, or connections from this machine (SQLSTATE \(state))."
        case .noSuchDatabase: "PostgreSQL has no database of that name."
        case .tls(let reason): "PostgreSQL cannot be reached by TLS: \(reason)."
        case .readOnly: "No PostgreSQL server that accepts writes can be reached."
        case .tooManyConnections: "PostgreSQL has no connection left (max_connections)."
        case .notReady: "PostgreSQL is starting, stopping or recovering."
        }
    }
}
