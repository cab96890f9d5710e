import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import Testing

@Suite struct FactorStoreTests {
    private func record(_ hash: UInt8 = 1, expiring date: Date = noon.after(600)) throws -> SingleUseRecord {
        SingleUseRecord(app: try .named(), kind: .pendingFactor, hash: [hash], payload: [9], expiresAt: date)
    }

    private func isUnspent(_ record: SingleUseRecord, _ store: any Store) async throws -> Bool {
        try await store.singleUseRecord(record.kind, record.hash, in: record.app, at: noon) != nil
    }

    private func enrolled(_ account: Account, _ store: any Store) async throws -> EnrolledFactors {
        try await store.factors(of: account.id, in: account.app)
    }

    private func recordUse(_ counter: Int64, of id: String = "f1", by account: Account, _ store: any Store)
        async throws -> Bool
    {
        try await store.recordUse(
            of: FactorID(id), of: account.id, in: account.app, counter: counter, at: noon.after(Double(counter)))
    }

    // MARK: Enrolment

    @Test(arguments: Backend.allCases)
    func `returns factors in order of creation with the number of recovery codes`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            #expect(try await enrolled(account, store) == EnrolledFactors())
            let authenticator = try FactorEnrolment.sample("z", of: account, at: noon.after(0.25))
            let passkey = try FactorEnrolment.sample("a", of: account, credentialID: [0, 255])
            for enrolment in [authenticator, passkey] { _ = try await store.enrol(enrolment) }
            let expected = EnrolledFactors(factors: [authenticator.factor, passkey.factor], recoveryCodesLeft: 3)
            #expect(try await enrolled(account, store) == expected)
            #expect(try await store.factors(of: account.id, in: .named("other")) == EnrolledFactors())
            #expect(try await store.passkey([0, 255], in: .named()) == passkey.factor)
            #expect(try await store.passkey([0, 255], in: .named("other")) == nil)
            #expect(try await store.passkey([0], in: .named()) == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `stores recovery codes with the first factor only`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            let first = try await store.enrol(.sample("f1", of: account, recoveryCodes: [[1], [2]]))
            #expect(first == .enrolled(storedRecoveryCodes: true))
            for code in UInt8(1)...2 {
                #expect(try await store.redeemRecoveryCode([code], of: account.id, in: .named(), notice: nil))
            }
            // Also where every code was redeemed.
            let second = try await store.enrol(.sample("f2", of: account, recoveryCodes: [[3]]))
            #expect(second == .enrolled(storedRecoveryCodes: false))
            #expect(try await enrolled(account, store).recoveryCodesLeft == 0)
        }
    }

    @Test(arguments: Backend.allCases)
    func `adds no factor to an account that is disabled, deleted or changed its credentials`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let disabled = try await store.addAccount("disabled")
            _ = try await store.change(disabled.id, in: .named(), AccountChange(isActive: false), at: noon)
            let current = try #require(try await store.account(disabled.id, in: .named()))
            let deleted = try await store.addAccount("deleted")
            _ = try await store.delete(deleted.id, in: .named(), credentialVersion: nil)
            let changed = try await store.addAccount("changed")
            _ = try await store.setPassword(
                PasswordChange(app: .named(), account: changed.id, hash: "new", reason: .passwordChanged, at: noon))
            try await store.add(record())
            for account in [disabled, current, deleted, changed] {
                let outcome = try await store.enrol(
                    .sample("f1", of: account, spending: record().key, notice: .sample()))
                #expect(outcome == .overtaken)
                #expect(try await enrolled(account, store) == EnrolledFactors())
            }
            #expect(try await isUnspent(record(), store))
            #expect(try await store.count() == 0)
        }
    }

    @Test(arguments: Backend.allCases)
    func `adds no more factors than the limit of an account`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            for number in 0..<Factor.limitPerAccount { _ = try await store.enrol(.sample("f\(number)", of: account)) }
            try await store.addSession("s1", of: account)
            try await store.add(record())
            let outcome = try await store.enrol(.sample("more", of: account, spending: record().key, notice: .sample()))
            #expect(outcome == .limitReached)
            #expect(try await enrolled(account, store).factors.count == Factor.limitPerAccount)
            #expect(try await isUnspent(record(), store))
            #expect(try await store.state("s1")?.session.revocation == nil)
            #expect(try await store.count() == 0)
        }
    }

    @Test(arguments: Backend.allCases)
    func `redeems the record that allows an enrolment`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.add(record())
            _ = try await store.enrol(.sample("f1", of: account, spending: record().key))
            #expect(try await isUnspent(record(), store) == false)
            let redemption = try await store.spend(
                .pendingFactor, [1], in: .named(), at: noon, for: nil, keeping: nil)
            #expect(redemption == .replayed(try record(), session: nil))
        }
    }

    @Test(arguments: Backend.allCases)
    func `changes nothing if the record of an enrolment is spent, expired or unknown`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.addSession("s1", of: account)
            try await store.addSession("s2", of: account)
            try await store.add(record(1))
            _ = try await store.spend(.pendingFactor, [1], in: .named(), at: noon, for: nil, keeping: nil)
            try await store.add(record(2, expiring: noon.after(60)))
            for hash in UInt8(1)...3 {
                await #expect(throws: StoreRefusal.alreadySpent) {
                    try await store.enrol(
                        .sample(
                            "f1", of: account, spending: record(hash).key, session: "s1", notice: .sample(),
                            at: noon.after(60)))
                }
            }
            #expect(try await enrolled(account, store) == EnrolledFactors())
            #expect(try await store.state("s1")?.session.authentication == AuthenticationContext())
            #expect(try await store.state("s2")?.session.revocation == nil)
            #expect(try await store.count() == 0)
            #expect(try await isUnspent(record(2), store))
        }
    }

    @Test(arguments: Backend.allCases)
    func `adds one factor for one of fifty parallel uses of a record`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.add(record())
            let outcomes = try await inParallel(50) { index -> EnrolmentOutcome? in
                do {
                    return try await store.enrol(.sample("f\(index)", of: account, spending: record().key))
                } catch StoreRefusal.alreadySpent { return nil }
            }
            #expect(outcomes.compactMap(\.self) == [.enrolled(storedRecoveryCodes: true)])
            #expect(try await enrolled(account, store).factors.count == 1)
        }
    }

    @Test(arguments: Backend.allCases)
    func `keeps the limit and stores recovery codes once in fifty parallel enrolments`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            let outcomes = try await inParallel(50) { index in
                try await store.enrol(.sample("f\(index)", of: account, recoveryCodes: [[UInt8(index)]]))
            }
            #expect(outcomes.count { $0 == .enrolled(storedRecoveryCodes: true) } == 1)
            #expect(outcomes.count { $0 == .enrolled(storedRecoveryCodes: false) } == Factor.limitPerAccount - 1)
            #expect(outcomes.count { $0 == .limitReached } == 50 - Factor.limitPerAccount)
            let enrolled = try await enrolled(account, store)
            #expect(enrolled.factors.count == Factor.limitPerAccount && enrolled.recoveryCodesLeft == 1)
        }
    }

    @Test(arguments: Backend.allCases)
    func `changes nothing if a factor of the app has the id or the credential id`(backend: Backend) async throws {
        try await backend.withStore { store in
            let (jo, sam) = (try await store.addAccount("jo"), try await store.addAccount("sam"))
            _ = try await store.enrol(.sample("f1", of: jo, credentialID: [1]))
            try await store.addSession("s1", of: sam)
            try await store.addSession("s2", of: sam)
            try await store.add(record())
            for (id, credentialID) in [("f1", [2]), ("f2", [1])] as [(String, [UInt8])] {
                await #expect(throws: StoreRefusal.identifierTaken) {
                    try await store.enrol(
                        .sample(
                            id, of: sam, credentialID: credentialID, spending: record().key, session: "s1",
                            notice: .sample()))
                }
            }
            #expect(try await enrolled(sam, store) == EnrolledFactors())
            #expect(try await isUnspent(record(), store))
            #expect(try await store.state("s1")?.session.authentication == AuthenticationContext())
            #expect(try await store.state("s2")?.session.revocation == nil)
            #expect(try await store.count() == 0)
            #expect(try await store.passkey([1], in: .named())?.account == jo.id)
        }
    }

    @Test(arguments: Backend.allCases)
    func `accepts the same ids in another app, and several factors without a credential id`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let (here, there) = (try await store.addAccount(), try await store.addAccount(app: "other"))
            for account in [here, there] { _ = try await store.enrol(.sample("f1", of: account, credentialID: [1])) }
            #expect(try await store.passkey([1], in: .named("other"))?.account == there.id)
            for id in ["f2", "f3"] { _ = try await store.enrol(.sample(id, of: here)) }
            #expect(try await enrolled(here, store).factors.count == 3)
        }
    }

    @Test(arguments: Backend.allCases)
    func `registers a credential id for one of fifty parallel enrolments`(backend: Backend) async throws {
        try await backend.withStore { store in
            var accounts: [Account] = []
            for number in 0..<10 { accounts.append(try await store.addAccount("jo\(number)")) }
            let outcomes = try await inParallel(50) { [accounts] index -> EnrolmentOutcome? in
                do {
                    return try await store.enrol(.sample("f\(index)", of: accounts[index % 10], credentialID: [1]))
                } catch StoreRefusal.identifierTaken { return nil }
            }
            #expect(outcomes.compactMap(\.self) == [.enrolled(storedRecoveryCodes: true)])
        }
    }

    @Test(arguments: Backend.allCases)
    func `continues the session of an enrolment with its authentication and ends the others`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let (account, other) = (try await store.addAccount("jo"), try await store.addAccount("sam"))
            for id in ["s1", "s2", "s3"] { try await store.addSession(id, of: account) }
            try await store.addSession("other", of: other)
            let signedOut = Revocation(reason: .signOut, at: noon)
            _ = try await store.revoke(SessionID("s3"), in: .named(), signedOut)
            _ = try await store.enrol(
                .sample("f1", of: account, session: "s1", authentication: .sample(.totp), at: noon.after(1)))
            let continued = try await store.state("s1")?.session
            #expect(continued?.authentication == .sample(.totp) && continued?.revocation == nil)
            let ended = try await store.state("s2")?.session
            #expect(ended?.authentication == .sample())
            #expect(ended?.revocation == Revocation(reason: .factorsChanged, at: noon.after(1)))
            #expect(try await store.state("s3")?.session.revocation == signedOut)
            #expect(try await store.state("other")?.session.revocation == nil)
            guard case .rotated = try await store.rotate("s1", from: 0, at: noon.after(2)) else {
                throw SampleRefused()
            }
        }
    }

    @Test(arguments: Backend.allCases, ["ended", "unknown", "theirs"])
    func `adds no factor for a session that has ended`(backend: Backend, session: String) async throws {
        try await backend.withStore { store in
            let (account, other) = (try await store.addAccount("jo"), try await store.addAccount("sam"))
            for id in ["ended", "live"] { try await store.addSession(id, of: account) }
            try await store.addSession("theirs", of: other)
            _ = try await store.revoke(SessionID("ended"), in: .named(), Revocation(reason: .signOut, at: noon))
            #expect(try await store.enrol(.sample("f1", of: account, session: session)) == .overtaken)
            #expect(try await store.factors(of: account.id, in: .named()) == EnrolledFactors())
            #expect(try await store.state("live")?.session.revocation == nil)
            #expect(try await store.state("theirs")?.session.revocation == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `adds one factor for fifty sessions that add their first at once`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            for index in 0..<50 { try await store.addSession("s\(index)", of: account) }
            let outcomes = try await inParallel(50) { index in
                try await store.enrol(.sample("f\(index)", of: account, session: "s\(index)"))
            }
            #expect(outcomes.count { $0 == .enrolled(storedRecoveryCodes: true) } == 1)
            #expect(outcomes.count { $0 == .overtaken } == 49)
            #expect(try await store.factors(of: account.id, in: .named()).factors.count == 1)
            #expect(try await store.sessions(of: account.id, in: .named(), at: noon).count == 1)
        }
    }

    @Test(arguments: Backend.allCases)
    func `ends all sessions of the account if an enrolment continues none`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            for id in ["s1", "s2"] { try await store.addSession(id, of: account) }
            _ = try await store.enrol(.sample("f1", of: account))
            #expect(try await store.sessions(of: account.id, in: .named(), at: noon) == [])
            #expect(try await store.state("s1")?.session.revocation?.reason == .factorsChanged)
        }
    }

    @Test(arguments: Backend.allCases)
    func `queues the notice of an enrolment, and changes nothing where it cannot`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            _ = try await store.enrol(.sample("f1", of: account, notice: .sample("m1")))
            #expect(try await store.claim(at: noon, until: noon.after(60), limit: 9).map(\.id) == ["m1"])
            try await store.add(record())
            await #expect {
                try await store.enrol(.sample("f2", of: account, spending: record().key, notice: .sample("m1")))
            } throws: {
                backend.reportsDuplicate($0)
            }
            #expect(try await enrolled(account, store).factors.count == 1)
            #expect(try await isUnspent(record(), store))
        }
    }

    // MARK: Changes

    @Test(arguments: Backend.allCases)
    func `renames a factor of its account only`(backend: Backend) async throws {
        try await backend.withStore { store in
            let (jo, sam) = (try await store.addAccount("jo"), try await store.addAccount("sam"))
            let enrolment = try FactorEnrolment.sample("f1", of: jo, credentialID: [1])
            _ = try await store.enrol(enrolment)
            func rename(_ id: String, _ account: Account, _ app: String = "vici") async throws -> Factor? {
                try await store.rename(FactorID(id), of: account.id, in: .named(app), to: "Jo’s Laptop")
            }
            #expect(try await rename("f2", jo) == nil)
            #expect(try await rename("f1", sam) == nil)
            #expect(try await rename("f1", jo, "other") == nil)
            #expect(try await enrolled(jo, store).factors == [enrolment.factor])
            var renamed = enrolment.factor
            renamed.name = "Jo’s Laptop"
            #expect(try await rename("f1", jo) == renamed)
            #expect(try await enrolled(jo, store).factors == [renamed])
        }
    }

    @Test(arguments: Backend.allCases)
    func `removes a factor, and the recovery codes with the last one`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.addSession("s1", of: account)
            let (first, second) = (
                try FactorEnrolment.sample("f1", of: account, credentialID: [1], session: "s1"),
                try FactorEnrolment.sample("f2", of: account, session: "s1")
            )
            for enrolment in [first, second] { _ = try await store.enrol(enrolment) }
            func remove(_ id: String, _ notice: String) async throws -> FactorRemovalOutcome {
                try await store.remove(
                    FactorID(id), of: account.id, in: .named(), keepingLast: false, notice: .sample(notice))
            }
            #expect(try await remove("f1", "m1") == .removed(first.factor))
            #expect(try await store.passkey([1], in: .named()) == nil)
            #expect(
                try await enrolled(account, store) == EnrolledFactors(factors: [second.factor], recoveryCodesLeft: 3))
            #expect(try await remove("f2", "m2") == .removed(second.factor))
            #expect(try await enrolled(account, store) == EnrolledFactors())
            #expect(try await store.redeemRecoveryCode([1], of: account.id, in: .named(), notice: nil) == false)
            #expect(try await store.count() == 2)
            #expect(try await store.state("s1")?.session.revocation == nil)
            let again = try await store.enrol(.sample("f1", of: account, recoveryCodes: [[9]]))
            #expect(again == .enrolled(storedRecoveryCodes: true))
            #expect(try await enrolled(account, store).recoveryCodesLeft == 1)
        }
    }

    @Test(arguments: Backend.allCases)
    func `removes no factor of another account, and not the last one where it is kept`(backend: Backend) async throws {
        try await backend.withStore { store in
            let (jo, sam) = (try await store.addAccount("jo"), try await store.addAccount("sam"))
            _ = try await store.enrol(.sample("f1", of: jo))
            func remove(_ id: String, _ account: Account, _ app: String = "vici") async throws -> FactorRemovalOutcome {
                try await store.remove(
                    FactorID(id), of: account.id, in: .named(app), keepingLast: true, notice: .sample())
            }
            #expect(try await remove("f2", jo) == .unknown)
            #expect(try await remove("f1", sam) == .unknown)
            #expect(try await remove("f1", jo, "other") == .unknown)
            #expect(try await remove("f1", jo) == .isLast)
            let enrolled = try await enrolled(jo, store)
            #expect(enrolled.factors.count == 1 && enrolled.recoveryCodesLeft == 3)
            #expect(try await store.count() == 0)
        }
    }

    @Test(arguments: Backend.allCases)
    func `keeps one factor in parallel removals that keep the last`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            for number in 0..<10 { _ = try await store.enrol(.sample("f\(number)", of: account)) }
            let outcomes = try await inParallel(50) { index in
                try await store.remove(
                    FactorID("f\(index % 10)"), of: account.id, in: .named(), keepingLast: true, notice: .sample())
            }
            let removed = outcomes.count { if case .removed = $0 { true } else { false } }
            #expect(removed == 9)
            let enrolled = try await enrolled(account, store)
            #expect(enrolled.factors.count == 1 && enrolled.recoveryCodesLeft == 3)
            #expect(try await store.count() == 9)
        }
    }

    @Test(arguments: Backend.allCases)
    func `removes all factors and recovery codes and ends the sessions`(backend: Backend) async throws {
        try await backend.withStore { store in
            let (jo, sam) = (try await store.addAccount("jo"), try await store.addAccount("sam"))
            for id in ["f1", "f2"] { _ = try await store.enrol(.sample(id, of: jo)) }
            _ = try await store.enrol(.sample("f3", of: sam))
            try await store.addSession("s1", of: jo)
            try await store.addSession("s2", of: sam)
            let revocation = Revocation(reason: .factorsChanged, at: noon.after(1))
            func removeAll(_ id: AccountID, _ notice: String) async throws -> Int {
                try await store.removeFactors(of: id, in: .named(), revocation, notice: .sample(notice))
            }
            #expect(try await removeAll(jo.id, "m1") == 2)
            #expect(try await enrolled(jo, store) == EnrolledFactors())
            #expect(try await store.redeemRecoveryCode([1], of: jo.id, in: .named(), notice: nil) == false)
            #expect(try await store.state("s1")?.session.revocation == revocation)
            #expect(try await store.state("s2")?.session.revocation == nil)
            #expect(try await enrolled(sam, store).factors.count == 1)
            #expect(try await removeAll(jo.id, "m2") == 0)
            #expect(try await removeAll(AccountID("none"), "m3") == 0)
            let queued = try await store.claim(at: noon, until: noon.after(60), limit: 9).map(\.id)
            #expect(Set(queued) == ["m1", "m2"])
        }
    }

    // MARK: Accounts without a password

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

    // MARK: Recovery codes

    @Test(arguments: Backend.allCases)
    func `replaces the recovery codes of an account that has a factor`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            func replace(_ hashes: [[UInt8]]) async throws -> Bool {
                try await store.replaceRecoveryCodes(of: account.id, in: .named(), with: hashes, notice: .sample())
            }
            #expect(try await replace([[4]]) == false)
            #expect(try await store.count() == 0)
            _ = try await store.enrol(.sample("f1", of: account))
            #expect(try await replace([[3], [4], [4], [5], [6]]))
            #expect(try await store.count() == 1)
            #expect(try await enrolled(account, store).recoveryCodesLeft == 4)
            #expect(try await store.redeemRecoveryCode([1], of: account.id, in: .named(), notice: nil) == false)
            #expect(try await store.redeemRecoveryCode([4], of: account.id, in: .named(), notice: nil))
        }
    }

    @Test(arguments: Backend.allCases)
    func `redeems a recovery code of its account once`(backend: Backend) async throws {
        try await backend.withStore { store in
            let (jo, sam) = (try await store.addAccount("jo"), try await store.addAccount("sam"))
            _ = try await store.enrol(.sample("f1", of: jo))
            func redeem(_ account: Account, _ app: String = "vici") async throws -> Bool {
                try await store.redeemRecoveryCode([1], of: account.id, in: .named(app), notice: .sample())
            }
            #expect(try await redeem(sam) == false)
            #expect(try await redeem(jo, "other") == false)
            #expect(try await redeem(jo))
            #expect(try await redeem(jo) == false)
            #expect(try await enrolled(jo, store).recoveryCodesLeft == 2)
            #expect(try await store.count() == 1)
        }
    }

    @Test(arguments: Backend.allCases)
    func `redeems a recovery code for one of fifty parallel calls`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            _ = try await store.enrol(.sample("f1", of: account))
            let redeemed = try await inParallel(50) { _ in
                try await store.redeemRecoveryCode([1], of: account.id, in: .named(), notice: .sample())
            }
            #expect(redeemed.count { $0 } == 1)
            #expect(try await store.count() == 1)
            #expect(try await enrolled(account, store).recoveryCodesLeft == 2)
        }
    }

    // MARK: Uses

    @Test(arguments: Backend.allCases)
    func `records a use with a greater counter only`(backend: Backend) async throws {
        try await backend.withStore { store in
            let (jo, sam) = (try await store.addAccount("jo"), try await store.addAccount("sam"))
            _ = try await store.enrol(.sample("f1", of: jo))
            #expect(try await recordUse(5, by: jo, store))
            #expect(try await recordUse(5, by: jo, store) == false)
            #expect(try await recordUse(4, by: jo, store) == false)
            #expect(try await recordUse(0, by: jo, store) == false)
            #expect(try await recordUse(6, by: sam, store) == false)
            #expect(try await recordUse(6, of: "f2", by: jo, store) == false)
            let factor = try await enrolled(jo, store).factors.first
            #expect(factor?.counter == 5 && factor?.lastUsedAt == noon.after(5))
            #expect(try await recordUse(Int64(1) << 31, by: jo, store))
        }
    }

    @Test(arguments: Backend.allCases)
    func `records every use of a passkey without a counter`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            _ = try await store.enrol(.sample("f1", of: account, credentialID: [1]))
            for _ in 0..<2 { #expect(try await recordUse(0, by: account, store)) }
            #expect(try await store.passkey([1], in: .named())?.lastUsedAt == noon)
        }
    }

    @Test(arguments: Backend.allCases)
    func `records one of fifty parallel uses of a counter`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            _ = try await store.enrol(.sample("f1", of: account))
            let recorded = try await inParallel(50) { _ in try await recordUse(7, by: account, store) }
            #expect(recorded.count { $0 } == 1)
        }
    }

    // MARK: Deletion of the account

    @Test(arguments: Backend.allCases)
    func `deletes factors and recovery codes with their account`(backend: Backend) async throws {
        try await backend.withStore { store in
            let new = try NewAccount.local(email: "jo@example.com", ids: .integer, id: "7")
            let account = try await store.add(new, spending: nil)
            _ = try await store.enrol(.sample("f1", of: account, credentialID: [1]))
            #expect(try await store.delete(account.id, in: .named(), credentialVersion: nil))
            #expect(try await enrolled(account, store) == EnrolledFactors())
            #expect(try await store.passkey([1], in: .named()) == nil)
            #expect(try await recordUse(5, by: account, store) == false)
            #expect(try await store.redeemRecoveryCode([1], of: account.id, in: .named(), notice: nil) == false)
            let again = try await store.add(new, spending: nil)
            #expect(try await enrolled(again, store) == EnrolledFactors())
            let outcome = try await store.enrol(
                .sample("f1", of: again, credentialID: [1], recoveryCodes: [[9]]))
            #expect(outcome == .enrolled(storedRecoveryCodes: true))
            #expect(try await enrolled(again, store).recoveryCodesLeft == 1)
        }
    }
}
