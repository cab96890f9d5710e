import Foundation
import Logging
package import OstiaryPostgres
import OstiaryTestSupport

/// A real PostgreSQL, started by `BlackBox/peers/postgres.py`, for the tests of this process. The first test that uses
/// it starts it; it ends with the process, also when that is killed.
///
/// `OSTIARY_POSTGRES_SETTINGS` may hold settings for it, `name=value` each, separated by spaces.
///
/// A suite that needs it has the trait `.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not
/// installed")`.
package final class PostgresServer: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The program's description of the server that it started.
    private struct Greeting: Decodable {
        let port: Int
        let user: String
        let password: String
        /// The file that the server writes its log to.
        let log: String
    }

    /// Returns parameters of a URL whose timeouts are long enough for a busy machine.
    ///
    /// - Parameter milliseconds: The time that a statement waits for a lock.
    package static func patience(withLocks milliseconds: Int = 60_000) -> String {
        "options=-c%20lock_timeout%3D\(milliseconds)%20-c%20idle_in_transaction_session_timeout%3D60000"
    }

    /// The role that owns the databases and has no further rights.
    private static let owner = "tester"

    private let greeting: Greeting
    private let process: ChildProcess
    private let administration: PostgresPool

    private static let started = Task { try await PostgresServer() }

    /// `true` if the programs of PostgreSQL 15 or later are where its packages put them. Looks at file names alone, because
    /// the conditions of suites are evaluated on threads of Swift's pool.
    package static let isInstalled: Bool = {
        let places = [
            "/usr/lib/postgresql/%/bin", "/opt/homebrew/opt/postgresql@%/bin", "/usr/local/opt/postgresql@%/bin",
        ]
        return places.contains { place in
            (15...30).contains { version in
                FileManager.default.isExecutableFile(
                    atPath: place.replacingOccurrences(of: "%", with: "\(version)") + "/initdb")
            }
        }
    }()

    /// Returns the server once it accepts connections.
    package static func shared() async throws -> PostgresServer { try await started.value }

    private init() async throws {
        let others = ProcessInfo.processInfo.environment["OSTIARY_POSTGRES_SETTINGS"] ?? ""
        process = try ChildProcess(
            script: "../BlackBox/peers/postgres.py",
            ["serve", "--unsafe", "--owner", Self.owner, "--set", "max_prepared_transactions=4"]
                + others.split(separator: " ").flatMap { ["--set", String($0)] })
        guard let line = await process.nextLine() else {
            process.closeInput()
            throw Failure(description: "PostgreSQL does not start: exit status \(await process.ended())")
        }
        greeting = try JSONDecoder().decode(Greeting.self, from: Data(line.utf8))
        administration = PostgresPool(
            try PostgresSettings(url: Self.url(greeting, as: greeting.user, "postgres", "pool_size=4")),
            log: Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() })
    }

    private static func url(
        _ greeting: Greeting, as user: String, _ database: String, _ parameters: String, port: Int? = nil
    ) -> String {
        "postgres://\(user):\(greeting.password)@127.0.0.1:\(port ?? greeting.port)/\(database)?\(parameters)"
    }

    /// Runs `body` with a new database, and removes it.
    ///
    /// - Parameter template: The database that it is a copy of; nil for an empty one.
    package func withDatabase<Value>(
        copying template: PostgresDatabase? = nil, _ body: (PostgresDatabase) async throws -> Value
    ) async throws -> Value {
        let database = try await createDatabase(copying: template)
        let result: Result<Value, any Error>
        do { result = .success(try await body(database)) } catch { result = .failure(error) }
        try await administer("DROP DATABASE \(database.name) WITH (FORCE)")
        return try result.get()
    }

    /// Creates a database, which exists as long as the server.
    ///
    /// - Parameter template: The database that it is a copy of, to which no connection is open; nil for an empty one.
    package func createDatabase(copying template: PostgresDatabase? = nil) async throws -> PostgresDatabase {
        let name = "test_\(UUID().uuidString.lowercased().filter { $0 != "-" })"
        let source = template.map { " TEMPLATE \($0.name)" } ?? ""
        try await administer("CREATE DATABASE \(name) OWNER \(Self.owner)\(source)")
        return PostgresDatabase(name: name, server: self)
    }

    /// Runs a statement as the server's administrator.
    @discardableResult
    package func administer(_ sql: String) async throws -> PostgresRows {
        try await administration.write(sql, within: .seconds(60))
    }

    fileprivate func url(_ database: String, _ parameters: String, port: Int?, asAdministrator: Bool) -> String {
        Self.url(
            greeting, as: asAdministrator ? greeting.user : Self.owner, database, parameters, port: port)
    }

    // MARK: Its log

    /// The size of the server's log, in bytes.
    package var logSize: UInt64 {
        get throws { try FileHandle(forReadingFrom: URL(filePath: greeting.log)).seekToEnd() }
    }

    /// Returns the server's log from a position on.
    package func log(from start: UInt64) throws -> String {
        let file = try FileHandle(forReadingFrom: URL(filePath: greeting.log))
        try file.seek(toOffset: start)
        return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    }
}

/// A database for one test.
package struct PostgresDatabase: Sendable {
    package let name: String
    fileprivate let server: PostgresServer

    /// The database's URL, for `PostgresSettings`.
    package var url: String { url() }

    /// - Parameters:
    ///   - parameters: The parameters after the question mark.
    ///   - port: The port of a proxy in front of the server; nil for the server's own.
    ///   - asAdministrator: `true` to connect as the server's administrator rather than as the owner of the database.
    package func url(
        _ parameters: String = "pool_size=4", port: Int? = nil, asAdministrator: Bool = false
    ) -> String {
        server.url(name, parameters, port: port, asAdministrator: asAdministrator)
    }

    /// Runs a statement as the server's administrator, in another database than this one.
    package func administer(_ sql: String) async throws { try await server.administer(sql) }
}
