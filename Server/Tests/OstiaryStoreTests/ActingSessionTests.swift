import Foundation
import GRDB
import OstiaryCore
import OstiaryEngine
import PostgresServer
import Testing

@testable import OstiaryStore

/// Sessions in which an administrator acts for an account.
@Suite struct ActingSessionTests {
    fileprivate func session(_ id: String, of account: Account, actor: String? = "key:k1") throws -> Session {
        Session(
            id: try SessionID(id), app: account.app, accountID: account.id, createdAt: noon, idleSeconds: 900,
            endsAt: noon.after(900), actor: actor)
    }

    @Test(arguments: Backend.allCases)
    func `keeps the actor of a session`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            for (id, actor) in [("acting", "key:k1"), ("own", nil)] {
                #expect(try await store.add(session(id, of: account, actor: actor), credentialVersion: 0))
                // Once from the database and once from the cache.
                for _ in 0..<2 { #expect(try await store.state(id)?.session.actor == actor) }
            }
            let listed = try await store.sessions(of: account.id, in: account.app, at: noon)
            #expect(
                Dictionary(uniqueKeysWithValues: listed.map { ($0.id.text, $0.actor) }) == [
                    "acting": "key:k1", "own": nil,
                ])
        }
    }

    @Test(arguments: Backend.allCases)
    func `a session of an administrator displaces none of the owner`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            for number in 0..<Session.limitPerAccount {
                #expect(try await store.add(session("s\(number)", of: account, actor: nil), credentialVersion: 0))
            }
            #expect(try await store.add(session("acting", of: account), credentialVersion: 0))
            #expect(try await store.state("s0")?.session.revocation == nil)
            #expect(try await store.add(session("last", of: account, actor: nil), credentialVersion: 0))
            #expect(try await store.state("s0")?.session.revocation?.reason == .tooManySessions)
        }
    }

    @Test(arguments: Backend.allCases)
    func `a session of an administrator is not counted among those of the owner, nor ended for one of them`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            #expect(try await store.add(session("acting", of: account), credentialVersion: 0))
            for number in 0..<Session.limitPerAccount {
                #expect(try await store.add(session("s\(number)", of: account, actor: nil), credentialVersion: 0))
            }
            for id in ["acting", "s0"] { #expect(try await store.state(id)?.session.revocation == nil) }
            #expect(try await store.add(session("last", of: account, actor: nil), credentialVersion: 0))
            #expect(try await store.state("s0")?.session.revocation?.reason == .tooManySessions)
            for id in ["acting", "s1"] { #expect(try await store.state(id)?.session.revocation == nil) }
        }
    }

    @Test(arguments: Backend.allCases)
    func `a change of an account ends the sessions of administrators who act for it`(backend: Backend) async throws {
        try await backend.withStore { store in
            let (jo, flo) = (try await store.addAccount(), try await store.addAccount("flo"))
            for (id, account, actor) in [
                ("a", jo, "key:k1"), ("b", jo, "account:1"), ("c", jo, nil), ("d", flo, "key:k1"),
            ] {
                #expect(try await store.add(session(id, of: account, actor: actor), credentialVersion: 0))
            }
            func ended() async throws -> [String] {
                var ended: [String] = []
                for id in ["a", "b", "c", "d"] {
                    if try await store.state(id)?.session.revocation?.reason == .actorRevoked { ended.append(id) }
                }
                return ended
            }
            var change = AccountChange(addedRoles: try RoleAssignment.read(["editor"]))
            _ = try await store.change(jo.id, in: jo.app, change, at: noon)
            #expect(try await ended().isEmpty)
            change.endsImpersonations = true
            _ = try await store.change(jo.id, in: jo.app, change, at: noon)
            #expect(try await ended() == ["a", "b"])
        }
    }

    fileprivate let revocation = Revocation(reason: .actorRevoked, at: noon.after(1))

    /// Adds sessions of three actors and of two accounts, and returns which are alive after `end`.
    private func alive(
        in store: any Store, after end: () async throws -> Void
    ) async throws -> [String] {
        let (jo, flo) = (try await store.addAccount(), try await store.addAccount("flo", app: "other"))
        for (id, account, actor) in [
            ("a", jo, "key:k1"), ("b", flo, "key:k1"), ("c", jo, "key:k10"), ("d", jo, "account:k1"), ("e", flo, nil),
        ] {
            #expect(try await store.add(session(id, of: account, actor: actor), credentialVersion: 0))
            _ = try await store.session(SessionID(id), in: account.app)
        }
        try await end()
        var alive: [String] = []
        for (id, app) in [("a", "vici"), ("b", "other"), ("c", "vici"), ("d", "vici"), ("e", "other")] {
            if try await store.state(id, app: app)?.session.revocation == nil { alive.append(id) }
        }
        #expect(try await store.state("a")?.session.revocation?.reason == .actorRevoked)
        return alive
    }

    @Test func `all sessions of one actor end together in SQLite`() async throws {
        let store = try SQLiteStore(inMemoryWith: .system)
        let alive = try await alive(in: store) {
            try await store.write { [revocation] in try $0.endSessions(actingFor: "key:k1", revocation) }
        }
        #expect(alive == ["c", "d", "e"])
        try await store.close()
    }

    @Test(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed"))
    func `all sessions of one actor end together in PostgreSQL`() async throws {
        try await PostgresServer.shared().withNodes(1) { nodes in
            let alive = try await alive(in: nodes[0]) {
                _ = try await nodes[0].write([PostgresStore.endingSessions(actingFor: "key:k1", revocation)])
            }
            #expect(alive == ["c", "d", "e"])
        }
    }
}

extension ActingSessionTests {
    @Test(arguments: Backend.allCases)
    func `IM-03: the sessions of a service key end with it`(backend: Backend) async throws {
        try await backend.withStore { store in
            let key = ServiceKey(
                id: try ServiceKeyID("0123456789abcdef"), name: "backend", hash: [1], scopes: [], createdAt: noon)
            try await store.add(key)
            let account = try await store.addAccount()
            for (id, actor) in [("own", nil), ("acting", "key:\(key.id.text)"), ("other", "key:0000000000000000")] {
                #expect(try await store.add(session(id, of: account, actor: actor), credentialVersion: 0))
                _ = try await store.state(id)
            }
            #expect(try await store.revokeServiceKey(key.id, at: noon.after(1))?.revokedAt == noon.after(1))
            #expect(try await store.state("acting")?.session.revocation == revocation)
            for id in ["own", "other"] { #expect(try await store.state(id)?.session.revocation == nil) }
            // A session that was added beside the revocation is found by the next one.
            #expect(
                try await store.add(session("late", of: account, actor: "key:\(key.id.text)"), credentialVersion: 0))
            #expect(try await store.revokeServiceKey(key.id, at: noon.after(2))?.revokedAt == noon.after(1))
            #expect(try await store.state("late")?.session.revocation != nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `a session of an administrator is no activity of the account`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            let day = CalendarDay(containing: noon)
            func active() async throws -> Int {
                try await store.activeAccounts(of: account.app, in: .day, beginningOn: day...day)[day] ?? 0
            }
            #expect(try await store.add(session("acting", of: account), credentialVersion: 0))
            #expect(try await active() == 0)
            #expect(try await store.add(session("own", of: account, actor: nil), credentialVersion: 0))
            #expect(try await active() == 1)
        }
    }
}
