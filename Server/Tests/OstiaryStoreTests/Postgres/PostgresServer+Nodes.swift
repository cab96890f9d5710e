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
    ///   - asAdministrator: As the server's, rather than as the owner of the database.
    ///   - patience: How long locks are waited for, and the like.
    func withSettings(
        asAdministrator: Bool = false, patience: String = PostgresServer.patience(),
        _ body: (PostgresSettings) async throws -> Void
    ) async throws {
        try await withDatabase { database in
            var settings = try PostgresSettings(
                url: database.url("pool_size=8&\(patience)", asAdministrator: asAdministrator))
            // A busy machine is no fault of the store's.
            settings.deadline = .seconds(60)
            try await body(settings)
        }
    }

    /// Runs `body` with nodes that share a new database, and looks whether any two of their transactions ever waited for
    /// each other.
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

    /// Asked when every connection has ended, because a connection tells at its end.
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
