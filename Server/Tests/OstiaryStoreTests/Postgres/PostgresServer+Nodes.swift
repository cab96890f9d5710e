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
            try await body(PostgresSettings(database, asAdministrator: asAdministrator, patience: patience))
        }
    }

    /// A database with the tables of a store and no rows. A copy of it takes less time than the migrations.
    private static let newStore = Task {
        let server = try await shared()
        let database = try await server.createDatabase()
        let settings = try PostgresSettings(database, patience: patience())
        try await PostgresStore.open(settings, system: .system, log: .silent).close()
        try await server.connectionsEnd(in: database.name)
        return database
    }

    /// Runs `body` with nodes that share a new store, and checks afterwards that their transactions had no deadlock.
    ///
    /// - Parameter system: The clock of the nodes, by which the first creates the tables of the audit log; nil for the system's.
    func withNodes(
        _ count: Int = 2, system: SystemDependencies? = nil, patience: String = PostgresServer.patience(),
        _ body: ([PostgresStore]) async throws -> Void
    ) async throws {
        let template = system == nil ? try await Self.newStore.value : nil
        try await withDatabase(copying: template) { database in
            let settings = try PostgresSettings(database, patience: patience)
            var nodes: [PostgresStore] = []
            for _ in 0..<count {
                nodes.append(try await PostgresStore.open(settings, system: system ?? .system, log: .silent))
            }
            do { try await body(nodes) } catch {
                for node in nodes { await node.close() }
                throw error
            }
            for node in nodes { await node.close() }
            // A connection reports its statistics at its end.
            try await connectionsEnd(in: database.name)
            #expect(try await deadlocks(in: database.name) == 0)
        }
    }

    private func connectionsEnd(in database: String) async throws {
        try await eventually("the database's connections have ended") {
            try await administer("SELECT count(*) FROM pg_stat_activity WHERE datname = '\(database)'")
                .value { try $0.integer() } == 0
        }
    }

    private func deadlocks(in database: String) async throws -> Int64? {
        try await administer(
            "SELECT pg_stat_get_db_deadlocks(oid) FROM pg_database WHERE datname = '\(database)'"
        ).value { try $0.integer() }
    }
}

extension PostgresSettings {
    /// The settings of a store that waits for a busy machine.
    fileprivate init(_ database: PostgresDatabase, asAdministrator: Bool = false, patience: String) throws {
        try self.init(url: database.url("pool_size=8&\(patience)", asAdministrator: asAdministrator))
        deadline = .seconds(60)
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
