import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import Testing

@Suite struct FactorEnrolmentStoreTests {
    private func record(_ hash: UInt8 = 1, expiring date: Date = noon.after(600)) throws -> SingleUseRecord {
        SingleUseRecord(app: try .named(), kind: .pendingFactor, hash: [hash], payload: [9], expiresAt: date)
    }

    private func isUnspent(_ record: SingleUseRecord, _ store: any Store) async throws -> Bool {
        try await store.singleUseRecord(record.kind, record.hash, in: record.app, at: noon) != nil
    }

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
    func `replaces the factors, recovery codes, devices and sessions of the account, and of no other`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let (account, other) = (try await store.addAccount("jo"), try await store.addAccount("sam"))
            for (owner, name) in [(account, "jo"), (other, "sam")] {
                _ = try await store.enrol(.sample(name, of: owner, credentialID: Array(name.utf8)))
                let device = RecognizedDevice(
                    id: try DeviceID(name), app: owner.app, accountID: owner.id, hash: Array(name.utf8),
                    createdAt: noon)
                #expect(try await store.add(device, credentialVersion: owner.credentialVersion))
                try await store.addSession("s-\(name)", of: owner)
            }
            // Also where the account has as many factors as it may, and the new one is one of them.
            for number in 1..<Factor.limitPerAccount { _ = try await store.enrol(.sample("f\(number)", of: account)) }
            try await store.addSession("s1", of: account)
            let enrolment = try replacing(account, credentialID: Array("jo".utf8))
            #expect(try await store.enrol(enrolment) == .enrolled(storedRecoveryCodes: false))
            let expected = EnrolledFactors(factors: [enrolment.factor])
            #expect(try await enrolled(account, store) == expected)
            #expect(try await store.state("s1")?.session.revocation?.reason == .factorsChanged)
            let opened = try #require(try await store.state("new"))
            #expect(opened.session.revocation == nil)
            #expect(opened.account.credentialVersion == account.credentialVersion + 1)
            #expect(try await store.device(Array("jo".utf8), in: .named(), at: noon) == nil)
            // A sign-in that began before is refused, and the same enrolment again.
            await #expect(throws: SampleRefused.self) { try await store.addSession("late", of: account) }
            var again = enrolment
            again.opening = nil
            let outcome = try await store.enrol(again)
            #expect(outcome == .overtaken)
            #expect(try await enrolled(account, store) == expected)
            #expect(try await enrolled(other, store).factors.count == 1)
            #expect(try await enrolled(other, store).recoveryCodesLeft == 3)
            #expect(try await store.device(Array("sam".utf8), in: .named(), at: noon) != nil)
            #expect(try await store.state("s-sam")?.session.revocation == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `replaces nothing if another account has the new factor's credential id`(backend: Backend) async throws {
        try await backend.withStore { store in
            let (account, other) = (try await store.addAccount("jo"), try await store.addAccount("sam"))
            _ = try await store.enrol(.sample("own", of: account, credentialID: [1]))
            _ = try await store.enrol(.sample("other", of: other, credentialID: [2]))
            try await store.addSession("s1", of: account)
            let enrolment = try replacing(account, credentialID: [2])
            await #expect(throws: StoreRefusal.identifierTaken) { try await store.enrol(enrolment) }
            #expect(try await enrolled(account, store).factors.map(\.id.text) == ["own"])
            #expect(try await enrolled(account, store).recoveryCodesLeft == 3)
            #expect(try await store.state("s1")?.session.revocation == nil)
            #expect(try await store.state("new") == nil)
            #expect(try await store.account(account.id, in: .named()) == account)
        }
    }

    /// Returns an enrolment without a session before, which opens one and replaces the account's factors.
    private func replacing(_ account: Account, credentialID: [UInt8]) throws -> FactorEnrolment {
        var enrolment = try FactorEnrolment.sample("new", of: account, credentialID: credentialID)
        enrolment.replacesFactors = true
        enrolment.opening = SessionToOpen(
            session: Session(
                id: try SessionID("new"), app: account.app, accountID: account.id, createdAt: noon,
                idleSeconds: 86_400, endsAt: noon.after(86_400), device: nil, address: nil, userAgent: nil))
        return enrolment
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
}
