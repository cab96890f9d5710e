import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import Testing

@Suite struct PasskeyAccountStoreTests {
    /// A new account with a passkey and no password.
    private func new(_ name: String, passkey id: String, _ credentialID: [UInt8]) throws -> NewAccount {
        var account = try NewAccount.local(email: "\(name)@example.com")
        account.passwordHash = nil
        account.passkey = NewPasskey(
            id: try FactorID(id), name: "Phone", material: [7], credentialID: credentialID, counter: 3)
        return account
    }

    @Test(arguments: Backend.allCases)
    func `creates an account with its passkey`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.add(new("jo", passkey: "f1", [1]), spending: nil)
            let factor = Factor(
                app: account.app, account: account.id, id: try FactorID("f1"), kind: .passkey, name: "Phone",
                material: [7], credentialID: [1], counter: 3, createdAt: noon)
            #expect(try await enrolled(account, store) == EnrolledFactors(factors: [factor]))
            #expect(try await store.passkey([1], in: .named()) == factor)
            #expect(account.passwordHash == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `creates no account if a factor of the app has the passkey's id or credential id`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            _ = try await store.add(new("jo", passkey: "f1", [1]), spending: nil)
            let code = PendingCode(
                id: "c", app: try .named(), recipient: [1], codeHash: [1], expiresAt: noon.after(60), triesLeft: 5)
            try await store.replace(with: code)
            for (id, credentialID) in [("f1", [2]), ("f2", [1])] as [(String, [UInt8])] {
                await #expect(throws: StoreRefusal.identifierTaken) {
                    try await store.add(
                        new("sam", passkey: id, credentialID), spending: .code(id: "c", app: .named()))
                }
            }
            let sam = try await store.account(
                identifiedBy: .email(EmailAddress("sam@example.com")), in: .named())
            #expect(sam == nil)
            #expect(try await store.code(for: [1], in: .named(), at: noon) != nil)
            _ = try await store.add(new("sam", passkey: "f2", [2]), spending: .code(id: "c", app: .named()))
        }
    }

    @Test(arguments: Backend.allCases)
    func `creates one of fifty parallel accounts with one passkey`(backend: Backend) async throws {
        try await backend.withStore { store in
            let created = try await inParallel(50) { index -> Account? in
                do {
                    return try await store.add(new("jo\(index)", passkey: "f\(index)", [1]), spending: nil)
                } catch StoreRefusal.identifierTaken { return nil }
            }
            #expect(created.compactMap(\.self).count == 1)
            #expect(try await store.accounts(in: .named(), after: nil, limit: 99).page.count == 1)
        }
    }

    @Test(arguments: Backend.allCases)
    func `does not remove the last passkey of an account without a password`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.add(new("jo", passkey: "f1", [1]), spending: nil)
            _ = try await store.enrol(.sample("f2", of: account))
            func remove(_ id: String) async throws -> FactorRemovalOutcome {
                try await store.remove(
                    FactorID(id), of: account.id, in: .named(), keepingLast: false, notice: .sample())
            }
            #expect(try await remove("f1") == .isLast)
            #expect(try await store.count() == 0)
            _ = try await store.enrol(.sample("f3", of: account, credentialID: [3]))
            guard case .removed = try await remove("f1"), case .removed = try await remove("f2") else {
                throw SampleRefused()
            }
            #expect(try await remove("f3") == .isLast)
            #expect(try await enrolled(account, store).factors.map(\.id.text) == ["f3"])
            _ = try await store.setPassword(
                PasswordChange(app: .named(), account: account.id, hash: "new", reason: .passwordChanged, at: noon))
            guard case .removed = try await remove("f3") else { throw SampleRefused() }
        }
    }

    @Test(arguments: Backend.allCases)
    func `keeps one passkey in parallel removals of an account without a password`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.add(new("jo", passkey: "f0", [0]), spending: nil)
            for number in UInt8(1)..<10 {
                _ = try await store.enrol(.sample("f\(number)", of: account, credentialID: [number]))
            }
            _ = try await inParallel(50) { index in
                try await store.remove(
                    FactorID("f\(index % 10)"), of: account.id, in: .named(), keepingLast: false, notice: .sample())
            }
            #expect(try await enrolled(account, store).factors.count == 1)
        }
    }

    @Test(arguments: Backend.allCases)
    func `adds a factor without a session if the account has the factors that are known`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let account = try await store.add(new("jo", passkey: "f1", [1]), spending: nil)
            @Sendable func enrol(_ id: String, knowing known: [String]) async throws -> EnrolmentOutcome {
                var enrolment = try FactorEnrolment.sample(id, of: account, credentialID: Array(id.utf8))
                enrolment.knownFactors = try known.map { try FactorID($0) }
                return try await store.enrol(enrolment)
            }
            for known in [[], ["f0"], ["f0", "f1"]] {
                #expect(try await enrol("f2", knowing: known) == .overtaken)
            }
            let outcomes = try await inParallel(20) { index in try await enrol("g\(index)", knowing: ["f1"]) }
            #expect(outcomes.count { $0 == .overtaken } == 19)
            #expect(try await enrolled(account, store).factors.count == 2)
        }
    }

    @Test(arguments: Backend.allCases)
    func `opens a session with a factor if the account has the factors that are known`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.add(new("jo", passkey: "f1", [1]), spending: nil)
            @Sendable func enrol(_ id: String, knowing known: [String]) async throws -> EnrolmentOutcome {
                var enrolment = try FactorEnrolment.sample(id, of: account, credentialID: Array(id.utf8))
                enrolment.opening = SessionToOpen(
                    session: Session(
                        id: try SessionID(id), app: account.app, accountID: account.id, createdAt: noon,
                        idleSeconds: 86_400, endsAt: noon.after(86_400), device: nil, address: nil, userAgent: nil))
                enrolment.knownFactors = try known.map { try FactorID($0) }
                return try await store.enrol(enrolment)
            }
            for known in [[], ["f0"], ["f0", "f1"], ["f1", "f0"]] {
                #expect(try await enrol("f2", knowing: known) == .overtaken)
            }
            #expect(try await enrolled(account, store).factors.count == 1)
            #expect(try await store.session(SessionID("f2"), in: .named()) == nil)
            #expect(try await enrol("f2", knowing: ["f1"]) == .enrolled(storedRecoveryCodes: false))
            #expect(try await store.session(SessionID("f2"), in: .named())?.session.revocation == nil)
            #expect(try await enrol("f3", knowing: ["f1"]) == .overtaken)
            let outcomes = try await inParallel(20) { index in
                try await enrol("g\(index)", knowing: ["f1", "f2"])
            }
            #expect(outcomes.count { $0 == .overtaken } == 19)
            #expect(try await enrolled(account, store).factors.count == 3)
        }
    }
}
