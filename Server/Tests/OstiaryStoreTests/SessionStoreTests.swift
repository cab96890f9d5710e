import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import Testing

@Suite struct SessionStoreTests {
    @Test(arguments: Backend.allCases)
    func `gives back a session with its account`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            let session = try await store.addSession("s1", of: account)
            #expect(try await store.state("s1") == SessionState(session: session, account: account))
            #expect(try await store.state("s1", app: "other") == nil)
            #expect(try await store.state("none") == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `adds no session for an account that changed since the sign-in began`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            _ = try await store.setPassword(
                PasswordChange(app: .named(), account: account.id, hash: "new", reason: .passwordChanged, at: noon))
            await #expect(throws: SampleRefused.self) { try await store.addSession("s1", of: account) }
            #expect(try await store.state("s1") == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `adds no session for an account that is disabled`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            let change = AccountChange(isActive: false)
            let disabled = try #require(try await store.change(account.id, in: .named(), change, at: noon))
            await #expect(throws: SampleRefused.self) { try await store.addSession("s1", of: disabled) }
        }
    }

    @Test(arguments: Backend.allCases)
    func `revokes a session once`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.addSession("s1", of: store.addAccount())
            let first = Revocation(reason: .signOut, at: noon.after(1))
            #expect(try await store.revoke(SessionID("s1"), in: .named("other"), first) == false)
            #expect(try await store.revoke(SessionID("s1"), in: .named(), first))
            let second = Revocation(reason: .reuse, at: noon.after(2))
            #expect(try await store.revoke(SessionID("s1"), in: .named(), second) == false)
            #expect(try await store.state("s1")?.session.revocation == first)
        }
    }

    @Test(arguments: Backend.allCases)
    func `does not count a session that ran out as ended now`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.addSession("s1", of: store.addAccount(), idleSeconds: 10)
            let late = Revocation(reason: .signOut, at: noon.after(10))
            #expect(try await store.revoke(SessionID("s1"), in: .named(), late) == false)
        }
    }

    @Test(arguments: Backend.allCases)
    func `revokes an account's sessions but the one kept`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount("jo")
            for id in ["s1", "s2", "s3"] { try await store.addSession(id, of: account) }
            try await store.addSession("else", of: store.addAccount("sam"))
            let revocation = Revocation(reason: .endedByOwner, at: noon.after(1))
            let ended = try await store.revokeAll(
                of: account.id, in: .named(), keeping: SessionID("s3"), revocation)
            #expect(ended == 2)
            #expect(try await store.state("s1")?.session.revocation == revocation)
            #expect(try await store.state("s3")?.session.revocation == nil)
            #expect(try await store.state("else")?.session.revocation == nil)
            #expect(try await store.revokeAll(of: account.id, in: .named(), keeping: nil, revocation) == 1)
        }
    }

    @Test(arguments: Backend.allCases)
    func `lists the sessions that are alive, the last used first`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.addSession("first", of: account)
            try await store.addSession("second", of: account, at: noon.after(1))
            try await store.addSession("short", of: account, idleSeconds: 60)
            try await store.addSession("revoked", of: account)
            _ = try await store.revoke(
                SessionID("revoked"), in: .named(), Revocation(reason: .signOut, at: noon.after(1)))
            _ = try await store.rotate("first", from: 0, at: noon.after(30))
            let alive = try await store.sessions(of: account.id, in: .named(), at: noon.after(60))
            #expect(alive.map(\.id.text) == ["first", "second"])
        }
    }

    @Test(arguments: Backend.allCases)
    func `keeps the first note of a generation's use`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.addSession("s1", of: store.addAccount())
            store.noteUse(of: 0, in: try SessionID("s1"), app: try .named(), at: noon.after(3))
            try await store.settle()
            store.noteUse(of: 0, in: try SessionID("s1"), app: try .named(), at: noon.after(4))
            store.noteUse(of: 1, in: try SessionID("s1"), app: try .named(), at: noon.after(5))
            store.noteUse(of: 0, in: try SessionID("none"), app: try .named(), at: noon)
            try await store.settle()
            #expect(try await store.state("s1")?.currentFirstUsedAt == noon.after(3))
        }
    }

    @Test(arguments: Backend.allCases)
    func `ends the oldest sessions of an account that has too many`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            for number in 0...Session.limitPerAccount { try await store.addSession("s\(number)", of: account) }
            #expect(try await store.state("s0")?.session.revocation?.reason == .tooManySessions)
            #expect(try await store.state("s1")?.session.revocation == nil)
            let alive = try await store.sessions(of: account.id, in: .named(), at: noon.after(1))
            #expect(alive.count == Session.limitPerAccount)
        }
    }
}
