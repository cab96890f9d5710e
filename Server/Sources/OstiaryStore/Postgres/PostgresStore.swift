import OstiaryEngine
import OstiaryPostgres

/// Everything the engine keeps, in a PostgreSQL database that any number of nodes share.
///
/// Holds nothing in memory that a node could need of another. An acknowledged write is as safe as the server's
/// `synchronous_commit` makes it.
public final class PostgresStore: Sendable {
    private let pool: PostgresPool
    let surroundings: Surroundings

    init(_ pool: PostgresPool, surroundings: Surroundings) {
        self.pool = pool
        self.surroundings = surroundings
    }

    public func close() async { await pool.close() }

    // What the pool does, with the store's errors. Doing a write twice is to be doing it once: see ``PostgresPool``.

    func read(_ sql: String, _ parameters: [any PostgresParameter] = []) async throws -> PostgresRows {
        do { return try await pool.read(sql, parameters) } catch { throw StoreError.postgres(error) }
    }

    @discardableResult
    func write(_ sql: String, _ parameters: [any PostgresParameter] = []) async throws -> PostgresRows {
        do { return try await pool.write(sql, parameters) } catch { throw StoreError.postgres(error) }
    }

    @discardableResult
    func write(_ statements: [PostgresStatement]) async throws -> [PostgresRows] {
        do { return try await pool.write(statements) } catch { throw StoreError.postgres(error) }
    }

    func transaction<Value: Sendable>(
        _ body: @Sendable (PostgresTransaction) async throws -> Value
    ) async throws -> Value {
        do {
            return try await pool.transaction(body)
        } catch let error as PostgresError {
            throw StoreError.postgres(error)
        }
    }
}
