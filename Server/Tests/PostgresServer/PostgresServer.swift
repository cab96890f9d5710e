import Foundation
import Logging
import OstiaryPostgres
import Synchronization

/// A real PostgreSQL for the tests of this process. The first test that asks starts it; it ends with the process.
///
/// A suite that needs it says `.enabled("PostgreSQL 15 or later is not installed") { await PostgresServer.isInstalled }`.
public enum PostgresServer {
    private static let running = Task { try await RunningServer() }
    private static let count = Atomic<Int>(0)

    /// Whether there is a PostgreSQL to start. A server that is there and does not start is a failure of the test.
    public static var isInstalled: Bool {
        get async {
            do {
                _ = try await running.value
                return true
            } catch { return !(error is RunningServer.NotInstalled) }
        }
    }

    /// Makes an empty database, the test's own, whose owner is nobody special.
    public static func makeDatabase() async throws -> PostgresDatabase {
        let server = try await running.value
        let name = "test_\(count.add(1, ordering: .relaxed).newValue)"
        try await server.administer("CREATE DATABASE \(name) OWNER \(RunningServer.owner)")
        return PostgresDatabase(name: name, server: server)
    }

    /// Makes an empty database, and drops it after `body`.
    public static func withDatabase<Value>(_ body: (PostgresDatabase) async throws -> Value) async throws -> Value {
        let database = try await makeDatabase()
        let result: Result<Value, any Error>
        do { result = .success(try await body(database)) } catch { result = .failure(error) }
        try await database.drop()
        return try result.get()
    }
}

/// A database of a test's own.
public struct PostgresDatabase: Sendable {
    public let name: String
    let server: RunningServer

    /// Where it is, for ``PostgresSettings``.
    public var url: String { url() }

    /// - Parameters:
    ///   - parameters: What follows the question mark.
    ///   - port: Instead of the server's: of what stands in front of it.
    public func url(_ parameters: String = "pool_size=4", port: Int? = nil) -> String {
        "postgres://\(RunningServer.owner):\(server.password)@127.0.0.1:\(port ?? server.port)/\(name)?\(parameters)"
    }

    /// Runs a statement as the server's administrator.
    public func administer(_ sql: String) async throws { try await server.administer(sql) }

    /// Ends its connections, whoever has them, and removes it.
    public func drop() async throws { try await server.administer("DROP DATABASE \(name) WITH (FORCE)") }
}
