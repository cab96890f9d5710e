import Dispatch
package import Logging

/// A bounded pool of connections to PostgreSQL, shared by concurrent callers.
///
/// Transient failures are retried until ``PostgresSettings/deadline``: a broken connection, a failover to a standby, a
/// serialization failure. So every write has to be idempotent, because a broken connection leaves its outcome unknown.
package final class PostgresPool: Sendable {
    private let settings: PostgresSettings
    private let connections: ConnectionPool

    /// Creates a pool that connects on first use.
    package init(_ settings: PostgresSettings, log: Logger) {
        self.settings = settings
        connections = ConnectionPool(settings, log: log)
    }

    deinit { connections.abandon() }

    /// The numbers of open and of busy connections, and of callers that wait for one.
    package var counts: (open: Int, busy: Int, waiting: Int) { connections.counts }

    /// Runs one read-only statement. It is cancelled if the calling task is cancelled.
    ///
    /// - Parameter deadline: The time limit of the call; by default that of the settings.
    package func read(
        _ sql: String, _ parameters: [any PostgresParameter] = [], within deadline: Duration? = nil
    ) async throws(PostgresError) -> PostgresRows {
        try await run([PostgresStatement(sql, parameters)], commits: false, within: deadline)[0]
    }

    /// Runs one statement in a transaction of its own, and returns when it is durable.
    ///
    /// Retried if its outcome is unknown: it has to be idempotent.
    package func write(
        _ sql: String, _ parameters: [any PostgresParameter] = [], within deadline: Duration? = nil
    ) async throws(PostgresError) -> PostgresRows {
        try await run([PostgresStatement(sql, parameters)], commits: true, within: deadline)[0]
    }

    /// Runs statements in one transaction and one round trip; each sees the changes of the preceding ones, and those
    /// that other transactions committed before it began.
    ///
    /// Retried if the outcome is unknown: the statements have to be idempotent.
    package func write(
        _ statements: [PostgresStatement], within deadline: Duration? = nil
    ) async throws(PostgresError) -> [PostgresRows] {
        try await run(statements, commits: true, within: deadline)
    }

    /// Runs `body` in a transaction, which is rolled back if it throws, or if a statement failed, even if `body` caught
    /// the error.
    ///
    /// Retried if the outcome is unknown: `body` has to be idempotent. `body` must not use the pool itself: if every
    /// connection is held by a caller that waits for another one, all wait until their deadlines (deadlock).
    package func transaction<Value: Sendable>(
        within deadline: Duration? = nil, _ body: @Sendable (PostgresTransaction) async throws -> Value
    ) async throws -> Value {
        var repetition = RetryLoop(until: .now + (deadline ?? settings.deadline))
        while true {
            let connection = try await connections.lease(until: repetition.end)
            let transaction = PostgresTransaction(
                connection, until: repetition.end, beforeCommit: repetition.beforeCommit)
            do {
                let value = try await body(transaction)
                try await transaction.commit()
                connections.giveBack(connection)
                return value
            } catch {
                await transaction.undo()
                let problem = transaction.problem ?? error as? PostgresError
                connections.giveBack(connection, after: problem)
                guard let problem, await repetition.mayRepeat(after: problem) else { throw error }
            }
        }
    }

    /// Refuses further calls and returns when those in progress have ended.
    package func close() async { await connections.close() }

    private func run(
        _ statements: [PostgresStatement], commits: Bool, within deadline: Duration?
    ) async throws(PostgresError) -> [PostgresRows] {
        var repetition = RetryLoop(until: .now + (deadline ?? settings.deadline))
        while true {
            let connection = try await connections.lease(until: repetition.end)
            do throws(PostgresError) {
                let sent = commits ? statements + repetition.beforeCommit : statements
                let rows = try await connection.run(sent, commits: commits, until: repetition.end)
                connections.giveBack(connection)
                return Array(rows.prefix(statements.count))
            } catch {
                connections.giveBack(connection, after: error)
                guard await repetition.mayRepeat(after: error) else { throw error }
            }
        }
    }
}
