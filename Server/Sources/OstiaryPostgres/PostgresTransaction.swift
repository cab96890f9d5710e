import Synchronization

/// A transaction under way. Its statements run one after the other.
public final class PostgresTransaction: Sendable {
    private enum Phase {
        case fresh, begun, committed, over
    }

    private let connection: PostgresConnection
    private let deadline: ContinuousClock.Instant
    private let state = Mutex((phase: Phase.fresh, problem: PostgresError?.none))

    init(_ connection: PostgresConnection, until deadline: ContinuousClock.Instant) {
        self.connection = connection
        self.deadline = deadline
    }

    /// What went wrong first. Nothing is committed after it.
    var problem: PostgresError? { state.withLock { $0.problem } }

    /// Runs one statement.
    @discardableResult
    public func run(
        _ sql: String, _ parameters: [any PostgresParameter] = []
    ) async throws(PostgresError) -> PostgresRows {
        try await run([PostgresStatement(sql, parameters)])[0]
    }

    /// Runs statements in one round trip.
    @discardableResult
    public func run(_ statements: [PostgresStatement]) async throws(PostgresError) -> [PostgresRows] {
        try await send(statements, andCommit: false)
    }

    /// Runs statements and commits in the same round trip. Nothing can be run after it.
    @discardableResult
    public func commit(after statements: [PostgresStatement]) async throws(PostgresError) -> [PostgresRows] {
        try await send(statements, andCommit: true)
    }

    func commit() async throws(PostgresError) {
        let phase = state.withLock { $0.phase }
        if let problem { throw problem }
        guard phase == .begun else { return }
        _ = try await send([], andCommit: true)
    }

    /// Ends it without effect, unless it is committed.
    func undo() async {
        let isOpen = state.withLock { state in
            defer { state.phase = .over }
            return state.phase == .begun
        }
        guard isOpen, connection.isUsable else { return }
        // A connection that does not even do that is closed.
        do {
            _ = try await connection.run([PostgresStatement("ROLLBACK")], commits: false, until: .now + .seconds(2))
        } catch { connection.close() }
    }

    private func send(
        _ statements: [PostgresStatement], andCommit commits: Bool
    ) async throws(PostgresError) -> [PostgresRows] {
        let phase = state.withLock { $0.phase }
        if let problem { throw problem }
        guard phase == .fresh || phase == .begun else { throw .closed }
        var all = statements
        if phase == .fresh { all.insert(PostgresStatement("BEGIN"), at: 0) }
        if commits { all.append(PostgresStatement("COMMIT")) }
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
