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
    func `returns a session with its authentication, after a rotation too`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            let hardware = AuthenticationContext.Event(method: .passkey, at: noon.after(0.5), isHardwareBound: true)
            var session = Session(
                id: try SessionID("s1"), app: account.app, accountID: account.id, createdAt: noon, idleSeconds: 60,
                endsAt: noon.after(60), authentication: .sample(.password))
            session.authentication.add(hardware)
            #expect(try await store.add(session, credentialVersion: 0))
            #expect(try await store.state("s1")?.session == session)
            #expect(try await store.sessions(of: account.id, in: .named(), at: noon) == [session])
            guard case .rotated(let state) = try await store.rotate("s1", from: 0, at: noon.after(1)) else {
                throw SampleRefused()
            }
            #expect(state.session.authentication == session.authentication)
            #expect(try await store.state("s1") == state)
        }
    }

    @Test(arguments: Backend.allCases)
    func `replaces the authentication of a session only if it is still the expected one`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            try await store.addSession("s1", of: store.addAccount())
            let steps: [AuthenticationContext] = [.sample(), .sample(.password), .sample(.password, .totp)]
            func replace(_ id: String = "s1", app: String = "vici", from old: Int, to new: Int) async throws -> Bool {
                try await store.replaceAuthentication(
                    of: SessionID(id), in: .named(app), from: steps[old], to: steps[new])
            }
            #expect(try await replace(from: 1, to: 2) == false)
            #expect(try await replace(app: "other", from: 0, to: 1) == false)
            #expect(try await replace("none", from: 0, to: 1) == false)
            #expect(try await replace(from: 0, to: 1))
            #expect(try await replace(from: 0, to: 2) == false)
            #expect(try await store.state("s1")?.session.authentication == steps[1])
            _ = try await store.revoke(SessionID("s1"), in: .named(), Revocation(reason: .signOut, at: noon))
            #expect(try await replace(from: 1, to: 2) == false)
        }
    }

    @Test(arguments: Backend.allCases)
    func `lets one of fifty parallel replacements of an authentication win`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.addSession("s1", of: store.addAccount())
            let contexts = (0..<50).map { AuthenticationContext.sample(.totp, at: noon.after(Double($0))) }
            let won = try await inParallel(50) { index in
                try await store.replaceAuthentication(
                    of: SessionID("s1"), in: .named(), from: AuthenticationContext(), to: contexts[index])
            }
            #expect(won.count { $0 } == 1)
            let winner = try #require(won.firstIndex(of: true))
            #expect(try await store.state("s1")?.session.authentication == contexts[winner])
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

    @Test(arguments: Backend.allCases)
    func `keeps as many sessions as the app asks for`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            for number in 0..<25 {
                let session = Session(
                    id: try SessionID("s\(number)"), app: account.app, accountID: account.id,
                    createdAt: noon.after(Double(number)), idleSeconds: 86_400, endsAt: noon.after(30 * 86_400))
                #expect(try await store.add(session, credentialVersion: 0, attachment: nil, keeping: 20))
            }
            let alive = try await store.sessions(of: account.id, in: .named(), at: noon.after(30))
            #expect(alive.map(\.id.text) == (5..<25).reversed().map { "s\($0)" })
        }
    }
}
