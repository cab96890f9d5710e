import Foundation
import Logging
import OstiaryEngine
import OstiaryPostgres
@testable import OstiaryStore
import Testing

/// A real PostgreSQL, started for the tests of this process. It ends with the process.
final class PostgresServer: Sendable {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// What the program says of the server that it started.
    private struct Greeting: Decodable {
        var host: String
        var port: Int
        var user: String
        var password: String
        /// The file that the server writes its log to.
        var log: String
    }

    private let greeting: Greeting
    /// For what concerns databases as wholes.
    private let administration: PostgresPool
    private let input: FileHandle

    /// One for all tests; nil where PostgreSQL is not installed.
    private static let started = Result { try PostgresServer() }
    static var isInstalled: Bool {
        if case .success(nil) = started { false } else { true }
    }

    static func shared() throws -> PostgresServer {
        guard let server = try started.get() else { throw Failure(description: "PostgreSQL is not installed") }
        return server
    }

    /// Blocks until the server takes connections.
    private init?() throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../BlackBox/peers/postgres.py").standardized
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let python = ProcessInfo.processInfo.environment["OSTIARY_TEST_PYTHON"] ?? "python3"
        process.arguments = [python, script.path(), "serve", "--unsafe"]
        let (stdin, stdout) = (Pipe(), Pipe())
        process.standardInput = stdin
        process.standardOutput = stdout
        input = stdin.fileHandleForWriting
        try process.run()
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(stdout.fileHandleForReading.fileDescriptor, &byte, 1) == 1, byte != 0x0A { line.append(byte) }
        if line.isEmpty {
            process.waitUntilExit()
            guard process.terminationStatus != 69 else { return nil }
            throw Failure(description: "PostgreSQL did not start: status \(process.terminationStatus)")
        }
        greeting = try JSONDecoder().decode(Greeting.self, from: Data(line))
        administration = PostgresPool(
            try PostgresSettings(url: Self.url(greeting, database: "postgres", connections: 4)), log: .silent)
    }

    private static func url(_ greeting: Greeting, database: String, connections: Int) -> String {
        "postgres://\(greeting.user):\(greeting.password)@\(greeting.host):\(greeting.port)/\(database)?pool_size=\(connections)"
    }

    /// How much the server has written to its log, in bytes.
    var logSize: UInt64 {
        get throws { try FileHandle(forReadingFrom: URL(filePath: greeting.log)).seekToEnd() }
    }

    /// What the server has written to its log from a place on.
    func log(from start: UInt64) throws -> String {
        let file = try FileHandle(forReadingFrom: URL(filePath: greeting.log))
        try file.seek(toOffset: start)
        return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    }

    /// Runs `body` with an empty database, and removes it.
    func withDatabase(_ body: (PostgresSettings) async throws -> Void) async throws {
        let name = "test_\(UUID().uuidString.lowercased().filter { $0 != "-" })"
        _ = try await administration.write("CREATE DATABASE \(name)", within: .seconds(60))
        var settings = try PostgresSettings(url: Self.url(greeting, database: name, connections: 8))
        // A busy machine is no fault of the store's.
        settings.deadline = .seconds(30)
        do {
            try await body(settings)
        } catch {
            try await drop(name)
            throw error
        }
        try await drop(name)
    }

    private func drop(_ name: String) async throws {
        _ = try await administration.write("DROP DATABASE \(name) WITH (FORCE)", within: .seconds(60))
    }

    /// Runs `body` with nodes that share a new database, and looks whether any two of their transactions ever waited for
    /// each other.
    func withNodes(
        _ count: Int = 2, surroundings: Surroundings = .system, _ body: ([PostgresStore]) async throws -> Void
    ) async throws {
        try await withDatabase { settings in
            var nodes: [PostgresStore] = []
            for _ in 0..<count {
                nodes.append(try await PostgresStore.open(settings, surroundings: surroundings, log: .silent))
            }
            do { try await body(nodes) } catch {
                for node in nodes { await node.close() }
                throw error
            }
            for node in nodes { await node.close() }
            #expect(try await deadlocks(in: settings.database) == 0)
        }
    }

    /// Asked when every connection has ended, because a connection tells at its end.
    private func deadlocks(in database: String) async throws -> Int64? {
        try await eventually("the database's connections have ended") {
            try await administration.read(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = $1", [database]
            ).value { try $0.integer() } == 0
        }
        return try await administration.read(
            "SELECT pg_stat_get_db_deadlocks(oid) FROM pg_database WHERE datname = $1", [database]
        ).value { try $0.integer() }
    }
}

/// Returns once it holds; a test that waits in vain for a minute fails.
func eventually(_ what: Comment, _ condition: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while try await !condition() {
        try #require(ContinuousClock.now < end, what)
        await Task.yield()
    }
}

extension Logger {
    static let silent = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
}

@Suite struct PostgresServerTests {
    @Test(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed"))
    func `the suite runs on PostgreSQL as well`() { #expect(Backend.allCases.contains(.postgres)) }
}
