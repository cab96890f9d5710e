import Foundation
import Logging
import OstiaryEngine
import OstiaryPostgres
import PostgresServer
import Testing

@testable import OstiaryStore

extension PostgresServer {
    /// Runs `body` with an empty database, and removes it.
    ///
    /// - Parameters:
    ///   - asAdministrator: `true` to connect as the server's administrator rather than as the owner of the database.
    ///   - patience: Parameters for the lock timeout and other time limits.
    func withSettings(
        asAdministrator: Bool = false, patience: String = PostgresServer.patience(),
        _ body: (PostgresSettings) async throws -> Void
    ) async throws {
        try await withDatabase { database in
            var settings = try PostgresSettings(
                url: database.url("pool_size=8&\(patience)", asAdministrator: asAdministrator))
            // A busy machine must not fail the test.
            settings.deadline = .seconds(60)
            try await body(settings)
        }
    }

    /// Runs `body` with nodes that share a new database, and checks afterwards that their transactions had no deadlock.
    func withNodes(
        _ count: Int = 2, system: SystemDependencies = .system, patience: String = PostgresServer.patience(),
        _ body: ([PostgresStore]) async throws -> Void
    ) async throws {
        try await withSettings(patience: patience) { settings in
            var nodes: [PostgresStore] = []
            for _ in 0..<count {
                nodes.append(try await PostgresStore.open(settings, system: system, log: .silent))
            }
            do { try await body(nodes) } catch {
                for node in nodes { await node.close() }
                throw error
            }
            for node in nodes { await node.close() }
            #expect(try await deadlocks(in: settings.database) == 0)
        }
    }

    /// Called when every connection has ended, because a connection reports its statistics at its end.
    private func deadlocks(in database: String) async throws -> Int64? {
        try await eventually("the database's connections have ended") {
            try await administer("SELECT count(*) FROM pg_stat_activity WHERE datname = '\(database)'")
                .value { try $0.integer() } == 0
        }
        return try await administer(
            "SELECT pg_stat_get_db_deadlocks(oid) FROM pg_database WHERE datname = '\(database)'"
        ).value { try $0.integer() }
    }
}

/// Polls until the condition holds; fails the test after a minute.
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
