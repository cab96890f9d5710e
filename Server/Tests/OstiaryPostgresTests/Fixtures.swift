import Logging
import OstiaryPostgres
import PostgresServer
import Testing

let quiet = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }

/// Returns a pool for `url`, with a longer deadline than any test should need.
func pool(_ url: String, deadline: Duration = .seconds(30)) throws -> PostgresPool {
    var settings = try PostgresSettings(url: url)
    settings.deadline = deadline
    return PostgresPool(settings, log: quiet)
}

/// Runs `body` with a new database and a pool for it.
func withPool(
    _ parameters: String = "pool_size=4", deadline: Duration = .seconds(30),
    _ body: (PostgresPool, PostgresDatabase) async throws -> Void
) async throws {
    try await PostgresServer.shared().withDatabase { database in
        let parameters = parameters.contains("options=") ? parameters : "\(parameters)&\(PostgresServer.patience())"
        let pool = try pool(database.url(parameters), deadline: deadline)
        try await body(pool, database)
        await pool.close()
    }
}

/// Polls until the condition holds. Fails the test if it never does.
func eventually(
    _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while try await !condition() {
        try #require(ContinuousClock.now < end, what, sourceLocation: sourceLocation)
        await Task.yield()
    }
}

extension PostgresPool {
    /// Returns the first column of the first row.
    func number(_ sql: String, _ parameters: [any PostgresParameter] = []) async throws -> Int64? {
        try await read(sql, parameters)[0].integer(0)
    }

    /// Returns the number of statements with this text that the server is running for other connections to the same
    /// database.
    func running(_ text: String) async throws -> Int64? {
        try await number(
            """
            SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%' || $1 || '%'
            AND datname = current_database() AND pid <> pg_backend_pid()
            """, [text])
    }
}
