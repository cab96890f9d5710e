import Logging

/// A bounded number of connections to PostgreSQL, shared by whoever asks.
public final class PostgresPool: Sendable {
    /// Runs one statement that changes nothing.
    public func read(
        _ sql: String, _ parameters: [any PostgresParameter] = []
    ) async throws(PostgresError) -> PostgresRows { throw .closed }

    /// Runs one statement in a transaction of its own, and returns when it is durable.
    ///
    /// Repeated if its outcome is unknown: to be such that doing it twice is doing it once.
    public func write(
        _ sql: String, _ parameters: [any PostgresParameter] = []
    ) async throws(PostgresError) -> PostgresRows { throw .closed }

    /// Runs statements in one transaction and one round trip; each sees the changes of those before it and what others
    /// committed before it began.
    ///
    /// Repeated if the outcome is unknown: to be such that doing it twice is doing it once.
    public func write(_ statements: [PostgresStatement]) async throws(PostgresError) -> [PostgresRows] { throw .closed }

    /// Runs `body` in a transaction, which is undone if it throws.
    ///
    /// Repeated if the outcome is unknown: to be such that doing it twice is doing it once.
    public func transaction<Value: Sendable>(
        _ body: @Sendable (PostgresTransaction) async throws -> Value
    ) async throws -> Value { throw PostgresError.closed }

    /// Refuses further calls and returns when those under way have ended.
    public func close() async {}
}

/// A transaction under way.
public struct PostgresTransaction: Sendable {
    /// Runs one statement.
    @discardableResult
    public func run(
        _ sql: String, _ parameters: [any PostgresParameter] = []
    ) async throws(PostgresError) -> PostgresRows { throw .closed }

    /// Runs statements in one round trip.
    @discardableResult
    public func run(_ statements: [PostgresStatement]) async throws(PostgresError) -> [PostgresRows] { throw .closed }
}
