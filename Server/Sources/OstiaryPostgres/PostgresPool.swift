import Dispatch
package import Logging

/// A bounded number of connections to PostgreSQL, shared by whoever asks.
///
/// What fails for a passing reason is repeated until ``PostgresSettings/deadline``: a connection that broke, a server that
/// is being replaced by its standby, a serialization failure. So what writes is to be such that doing it twice is doing it
/// once, because a broken connection leaves unknown whether it was done.
package final class PostgresPool: Sendable {
    private let settings: PostgresSettings
    private let connections: ConnectionShelf

    /// Connects when it is first asked.
    package init(_ settings: PostgresSettings, log: Logger) {
        self.settings = settings
        connections = ConnectionShelf(settings, log: log)
    }

    deinit { connections.abandon() }

    /// How many connections there are, and how many wait for one.
    package var counts: (open: Int, busy: Int, waiting: Int) { connections.counts }

    /// Runs one statement that changes nothing. It is ended if the calling task is cancelled.
    ///
    /// - Parameter deadline: Instead of the settings'.
    package func read(
        _ sql: String, _ parameters: [any PostgresParameter] = [], within deadline: Duration? = nil
    ) async throws(PostgresError) -> PostgresRows {
        try await run([PostgresStatement(sql, parameters)], commits: false, within: deadline)[0]
    }

    /// Runs one statement in a transaction of its own, and returns when it is durable.
    ///
    /// Repeated if its outcome is unknown: to be such that doing it twice is doing it once.
    package func write(
        _ sql: String, _ parameters: [any PostgresParameter] = [], within deadline: Duration? = nil
    ) async throws(PostgresError) -> PostgresRows {
        try await run([PostgresStatement(sql, parameters)], commits: true, within: deadline)[0]
    }

    /// Runs statements in one transaction and one round trip; each sees the changes of those before it and what others
    /// committed before it began.
    ///
    /// Repeated if the outcome is unknown: to be such that doing it twice is doing it once.
    package func write(
        _ statements: [PostgresStatement], within deadline: Duration? = nil
    ) async throws(PostgresError) -> [PostgresRows] {
        try await run(statements, commits: true, within: deadline)
    }

    /// Runs `body` in a transaction, which is undone if it throws, or if a statement failed, whatever `body` made of that.
    ///
    /// Repeated if the outcome is unknown: to be such that doing it twice is doing it once. `body` asks `self` for nothing:
    /// where every connection is held by somebody who waits for another, all wait until their time is up.
    package func transaction<Value: Sendable>(
        within deadline: Duration? = nil, _ body: @Sendable (PostgresTransaction) async throws -> Value
    ) async throws -> Value {
        var repetition = Repetition(until: .now + (deadline ?? settings.deadline))
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

    /// Refuses further calls and returns when those under way have ended.
    package func close() async { await connections.close() }

    private func run(
        _ statements: [PostgresStatement], commits: Bool, within deadline: Duration?
    ) async throws(PostgresError) -> [PostgresRows] {
        var repetition = Repetition(until: .now + (deadline ?? settings.deadline))
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
