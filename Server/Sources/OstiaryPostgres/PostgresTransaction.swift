import Synchronization

/// A transaction in progress. Its statements run one after the other.
package final class PostgresTransaction: Sendable {
    private enum Phase {
        case fresh, begun, committed, over
    }

    private let connection: PostgresConnection
    private let deadline: ContinuousClock.Instant
    private let beforeCommit: [PostgresStatement]
    private let state = Mutex((phase: Phase.fresh, problem: PostgresError?.none))

    /// - Parameter beforeCommit: Additional statements to send with the commit, whose results are not returned.
    init(
        _ connection: PostgresConnection, until deadline: ContinuousClock.Instant, beforeCommit: [PostgresStatement]
    ) {
        self.connection = connection
        self.deadline = deadline
        self.beforeCommit = beforeCommit
    }

    /// The first failure. Nothing is committed after it.
    var problem: PostgresError? { state.withLock { $0.problem } }

    /// Runs one statement.
    @discardableResult
    package func run(
        _ sql: String, _ parameters: [any PostgresParameter] = []
    ) async throws(PostgresError) -> PostgresRows {
        try await run([PostgresStatement(sql, parameters)])[0]
    }

    /// Runs statements in one round trip.
    @discardableResult
    package func run(_ statements: [PostgresStatement]) async throws(PostgresError) -> [PostgresRows] {
        try await send(statements, andCommit: false)
    }

    /// Runs statements and commits in the same round trip. No statement can follow.
    @discardableResult
    package func commit(after statements: [PostgresStatement]) async throws(PostgresError) -> [PostgresRows] {
        try await send(statements, andCommit: true)
    }

    func commit() async throws(PostgresError) {
        if let problem { throw problem }
        // Without a statement there is no transaction, and none may begin: the connection goes to another caller.
        let isBegun = state.withLock { state in
            if state.phase == .fresh { state.phase = .over }
            return state.phase == .begun
        }
        if isBegun { _ = try await send([], andCommit: true) }
    }

    /// Rolls the transaction back, unless it is committed.
    func undo() async {
        let isOpen = state.withLock { state in
            defer { state.phase = .over }
            return state.phase == .begun
        }
        guard isOpen, connection.isUsable else { return }
        do {
            _ = try await connection.run([PostgresStatement("ROLLBACK")], commits: false, until: .now + .seconds(2))
        } catch {
            // A connection that cannot roll back is unusable, and the server rolls back what is left open.
            connection.close()
        }
    }

    private func send(
        _ statements: [PostgresStatement], andCommit commits: Bool
    ) async throws(PostgresError) -> [PostgresRows] {
        let phase = state.withLock { $0.phase }
        if let problem { throw problem }
        guard phase == .fresh || phase == .begun else { throw .closed }
        var all = statements
        if phase == .fresh { all.insert(PostgresStatement("BEGIN ISOLATION LEVEL READ COMMITTED"), at: 0) }
        if commits { all += beforeCommit + [PostgresStatement("COMMIT")] }
        state.withLock { $0.phase = .begun }
        do throws(PostgresError) {
            let rows = try await connection.run(all, commits: commits, until: deadline)
            if commits { state.withLock { $0.phase = .committed } }
            return Array(rows.dropFirst(phase == .fresh ? 1 : 0).prefix(statements.count))
        } catch {
            state.withLock { $0.problem = error }
            throw error
        }
    }
}
