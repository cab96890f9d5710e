import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import Testing

/// Changes that a cached entry must not hide.
@Suite struct CacheCoherenceTests {
    @Test(arguments: Backend.allCases)
    func `shows a revocation to the next read`(backend: Backend) async throws {
        try await check(backend) { store, account in
            _ = try await store.revoke(SessionID("s1"), in: .named(), Revocation(reason: .signOut, at: noon))
        } shows: {
            $0?.session.revocation?.reason == .signOut
        }
    }

    @Test(arguments: Backend.allCases)
    func `shows a disabled account to the next read`(backend: Backend) async throws {
        try await check(backend) { store, account in
            _ = try await store.change(account.id, in: .named(), AccountChange(isActive: false), at: noon)
        } shows: {
            $0?.account.isActive == false && $0?.session.revocation != nil
        }
    }

    @Test(arguments: Backend.allCases)
    func `shows a change of roles to the next read`(backend: Backend) async throws {
        try await check(backend) { store, account in
            _ = try await store.change(
                account.id, in: .named(), AccountChange(addedRoles: try RoleAssignment.read(["admin"])), at: noon)
        } shows: {
            $0?.account.roles == ["admin"]
        }
    }

    @Test(arguments: Backend.allCases)
    func `shows a deleted account to the next read`(backend: Backend) async throws {
        try await check(backend) { store, account in
            _ = try await store.delete(account.id, in: .named(), credentialVersion: nil)
        } shows: {
            $0 == nil
        }
    }

    @Test(arguments: Backend.allCases)
    func `shows a rotation to the next read`(backend: Backend) async throws {
        try await check(backend) { store, account in
            _ = try await store.rotate("s1", from: 0, at: noon)
        } shows: {
            $0?.session.generation == 1
        }
    }

    @Test(arguments: Backend.allCases)
    func `shows a first use to the next read`(backend: Backend) async throws {
        try await check(backend) { store, account in
            store.noteUse(of: 0, in: try SessionID("s1"), app: try .named(), at: noon)
            try await store.settle()
        } shows: {
            $0?.currentFirstUsedAt == noon
        }
    }

    @Test(arguments: Backend.allCases)
    func `shows a swept session to the next read`(backend: Backend) async throws {
        try await check(backend) { store, account in
            _ = try await store.sweep(at: noon, endedBefore: .distantFuture, auditBefore: noon)
        } shows: {
            $0 == nil
        }
    }

    @Test(arguments: Backend.allCases)
    func `shows a password change to the next read`(backend: Backend) async throws {
        try await check(backend) { store, account in
            _ = try await store.setPassword(
                PasswordChange(
                    app: .named(), account: account.id, hash: "new", reason: .passwordChanged, keeping: SessionID("s1"),
                    at: noon))
        } shows: {
            $0?.account.passwordHash == "new" && $0?.account.credentialVersion == 1
        }
    }

    @Test(arguments: Backend.allCases)
    func `shows a replaced authentication to the next read`(backend: Backend) async throws {
        try await check(backend) { store, account in
            _ = try await store.replaceAuthentication(
                of: SessionID("s1"), in: .named(), from: AuthenticationContext(), to: .sample(.password))
        } shows: {
            $0?.session.authentication == .sample(.password)
        }
    }

    @Test(arguments: Backend.allCases)
    func `shows the authentication that an enrolment replaced to the next read`(backend: Backend) async throws {
        try await check(backend) { store, account in
            _ = try await store.enrol(.sample("f1", of: account, session: "s1", authentication: .sample(.totp)))
        } shows: {
            $0?.session.authentication == .sample(.totp) && $0?.session.revocation == nil
        }
    }

    @Test(arguments: Backend.allCases)
    func `shows a session that an enrolment ended to the next read`(backend: Backend) async throws {
        try await check(backend) { store, account in
            _ = try await store.enrol(.sample("f1", of: account))
        } shows: {
            $0?.session.revocation?.reason == .factorsChanged
        }
    }

    @Test(arguments: Backend.allCases)
    func `shows a session that the removal of all factors ended to the next read`(backend: Backend) async throws {
        try await check(backend) { store, account in
            _ = try await store.removeFactors(
                of: account.id, in: .named(), Revocation(reason: .factorsChanged, at: noon), notice: nil)
        } shows: {
            $0?.session.revocation?.reason == .factorsChanged
        }
    }

    @Test(arguments: Backend.allCases)
    func `never shows a session alive to a read that began after its revocation`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            for round in 0..<20 {
                let id = "s\(round)"
                try await store.addSession(id, of: account)
                async let reads: Void = {
                    for _ in 0..<50 { _ = try await store.state(id) }
                }()
                _ = try await store.revoke(SessionID(id), in: .named(), Revocation(reason: .signOut, at: noon))
                #expect(try await store.state(id)?.session.revocation != nil)
                try await reads
                #expect(try await store.state(id)?.session.revocation != nil)
            }
        }
    }

    private func check(
        _ backend: Backend, after change: (any Store, Account) async throws -> Void,
        shows isShown: (SessionState?) -> Bool
    ) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.addSession("s1", of: account)
            let before = try await store.state("s1")
            #expect(try await store.state("s1") == before)
            #expect(!isShown(before))
            try await change(store, account)
            #expect(isShown(try await store.state("s1")))
        }
    }
}
