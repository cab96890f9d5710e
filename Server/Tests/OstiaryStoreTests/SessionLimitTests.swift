import Foundation
import GRDB
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryStore

/// The sessions that an account keeps: see decision 109.
@Suite struct SessionLimitTests {
    /// Adds a session to an account that keeps 20.
    private func add(
        _ id: String, of account: Account, at now: Date, idleSeconds: Int, in store: any Store
    ) async throws {
        let session = Session(
            id: try SessionID(id), app: account.app, accountID: account.id, createdAt: now, idleSeconds: idleSeconds,
            endsAt: now.after(30 * 86_400))
        #expect(try await store.add(session, credentialVersion: 0, attachment: nil, keeping: 20))
    }

    @Test(arguments: Backend.allCases)
    func `ends sessions that have expired before one that is alive`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await add("alive", of: account, at: noon, idleSeconds: 86_400, in: store)
            for number in 0..<19 { try await add("e\(number)", of: account, at: noon, idleSeconds: 60, in: store) }
            // In the millisecond in which they end.
            try await add("new", of: account, at: noon.after(60), idleSeconds: 86_400, in: store)
            let sessions = try await store.sessions(of: account.id, in: .named(), at: noon.after(60))
            #expect(sessions.map(\.id.text) == ["new", "alive"])
            // Of the expired ones, those beyond the number that an account keeps, the oldest first.
            let ended = try await ended(["alive", "e0", "e1", "e18", "new"], in: store)
            #expect(ended == ["e0"])
        }
    }

    @Test(arguments: Backend.allCases)
    func `ends the oldest session that is alive if more are alive than an account keeps`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            for number in 0..<10 {
                try await add("a\(number)", of: account, at: noon, idleSeconds: 86_400, in: store)
                try await add("e\(number)", of: account, at: noon, idleSeconds: 60, in: store)
            }
            for number in 10..<21 {
                try await add("a\(number)", of: account, at: noon.after(60), idleSeconds: 86_400, in: store)
            }
            let alive = try await store.sessions(of: account.id, in: .named(), at: noon.after(60))
            #expect(Set(alive.map(\.id.text)) == Set((1..<21).map { "a\($0)" }))
            let names = (0..<10).map { "e\($0)" } + ["a0", "a1"]
            #expect(try await ended(names, in: store) == (0..<10).map { "e\($0)" } + ["a0"])
        }
    }

    @Test(arguments: Backend.allCases)
    func `an account has no more sessions that are not revoked than it keeps, expired or not`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            let names = (0..<50).map { "s\($0)" }
            for (number, name) in names.enumerated() {
                try await add(
                    name, of: account, at: noon.after(Double(number) * 3600), idleSeconds: 60, in: store)
            }
            #expect(try await ended(names, in: store) == Array(names.dropLast(20)))
        }
    }

    @Test func `finds the sessions that an account does not keep by an index in SQLite`() throws {
        let database = try DatabaseQueue()
        try Schema.migrate(database, path: ":memory:")
        let plan = try database.read { db in
            let statement = try db.makeStatement(sql: "EXPLAIN QUERY PLAN \(Database.endingOldestSessions)")
            // Without statistics the values of the parameters do not matter.
            let values = StatementArguments(Array(repeating: DatabaseValue.null, count: 5))
            return try Row.fetchAll(statement, arguments: values).map { $0["detail"] as String }
        }
        #expect(plan.contains { $0.contains("session_unrevoked (app=? AND account_id=?)") }, "\(plan)")
        #expect(!plan.contains { $0.contains("SCAN") }, "\(plan)")
    }

    /// Returns the sessions that were ended because the account had too many.
    private func ended(_ ids: [String], in store: any Store) async throws -> [String] {
        var ended: [String] = []
        for id in ids where try await store.state(id)?.session.revocation?.reason == .tooManySessions {
            ended.append(id)
        }
        return ended
    }
}
