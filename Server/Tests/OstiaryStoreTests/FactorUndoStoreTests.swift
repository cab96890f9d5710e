import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import Testing

/// The undo of changes of factors.
@Suite struct FactorUndoStoreTests {
    private func record(_ hash: UInt8 = 1, _ kind: SingleUseRecord.Kind = .factorUndo) throws -> SingleUseRecord {
        SingleUseRecord(app: try .named(), kind: kind, hash: [hash], payload: [9], expiresAt: noon.after(600))
    }

    /// A record whose payload says what was removed: the factors' ids, and the number of recovery codes.
    private func removal(_ hash: UInt8 = 1) throws -> FactorUndoRecord {
        FactorUndoRecord(key: try record(hash).key, expiresAt: noon.after(600)) { removed in
            Array("\(removed.factors.map(\.id.text)) \(removed.recoveryCodes.count)".utf8)
        }
    }

    private func payload(_ store: any Store, _ hash: UInt8 = 1) async throws -> String? {
        let record = try await store.singleUseRecord(.factorUndo, [hash], in: .named(), at: noon)
        return record.map { String(decoding: $0.payload, as: UTF8.self) }
    }

    private func undo(
        _ account: Account, hash: UInt8 = 1, adding factor: String? = nil, codes: [[UInt8]] = [],
        signIns: [SingleUseRecordKey] = [], restoring removed: RemovedFactors = RemovedFactors(),
        undone: UndoneFactorRecords = UndoneFactorRecords(),
        notice: QueuedMessage? = nil, credentialVersion: Int? = nil, at now: Date = noon
    ) throws -> FactorUndo {
        FactorUndo(
            app: account.app, account: account.id, spending: try record(hash).key,
            addedFactor: try factor.map { try FactorID($0) }, addedRecoveryCodes: codes, signIns: signIns,
            removed: removed, undone: undone, notice: notice, credentialVersion: credentialVersion, at: now)
    }

    private func enrolled(_ account: Account, _ store: any Store) async throws -> EnrolledFactors {
        try await store.factors(of: account.id, in: account.app)
    }

    private func factor(
        _ id: String, of account: Account, credentialID: [UInt8]? = nil
    ) throws -> Factor {
        var factor = try FactorEnrolment.sample(id, of: account, credentialID: credentialID).factor
        factor.counter = 7
        factor.lastUsedAt = noon.after(-5)
        return factor
    }

    @Test(arguments: Backend.allCases)
    func `forgets the devices of the account, and of no other`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            let other = try await store.addAccount("bo")
            for (owner, hash) in [(account, UInt8(1)), (account, 2), (other, 3)] {
                let device = RecognizedDevice(
                    id: try DeviceID("d\(hash)"), app: owner.app, accountID: owner.id, hash: [hash], createdAt: noon)
                #expect(try await store.add(device, credentialVersion: owner.credentialVersion))
            }
            var enrolment = try FactorEnrolment.sample("f1", of: account)
            enrolment.undo = try record()
            _ = try await store.enrol(enrolment)
            #expect(try await store.undo(undo(account, adding: "f1")) == .undone)
            #expect(try await store.device([1], in: account.app, at: noon) == nil)
            #expect(try await store.device([2], in: account.app, at: noon) == nil)
            #expect(try await store.device([3], in: account.app, at: noon) != nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `changes nothing if the credentials of the account have changed since the link was checked`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            var enrolment = try FactorEnrolment.sample("f1", of: account)
            enrolment.undo = try record()
            _ = try await store.enrol(enrolment)
            let present = try #require(try await store.account(account.id, in: account.app))
            let overtaken = try undo(account, adding: "f1", credentialVersion: present.credentialVersion - 1)
            #expect(try await store.undo(overtaken) == .overtaken)
            #expect(try await enrolled(account, store).factors.count == 1)
            let valid = try undo(account, adding: "f1", credentialVersion: present.credentialVersion)
            #expect(try await store.undo(valid) == .undone)
        }
    }

    // MARK: Records

    @Test(arguments: Backend.allCases)
    func `adds the record of an undo with each change`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            var enrolment = try FactorEnrolment.sample("f1", of: account)
            enrolment.undo = try record(1)
            _ = try await store.enrol(enrolment)
            #expect(try await payload(store, 1) == "\t")
            _ = try await store.enrol(.sample("f2", of: account))
            _ = try await store.remove(
                FactorID("f2"), of: account.id, in: .named(), keepingLast: false, notice: nil, undo: removal(2))
            #expect(try await payload(store, 2) == #"["f2"] 0"#)
            _ = try await store.redeemRecoveryCode([1], of: account.id, in: .named(), notice: nil)
            _ = try await store.replaceRecoveryCodes(
                of: account.id, in: .named(), with: [[4]], notice: nil, undo: removal(3))
            #expect(try await payload(store, 3) == "[] 2")
            _ = try await store.remove(
                FactorID("f1"), of: account.id, in: .named(), keepingLast: false, notice: nil, undo: removal(4))
            #expect(try await payload(store, 4) == #"["f1"] 1"#)
            for id in ["f3", "f4"] { _ = try await store.enrol(.sample(id, of: account)) }
            _ = try await store.removeFactors(
                of: account.id, in: .named(), Revocation(reason: .factorsChanged, at: noon), notice: nil,
                undo: removal(5))
            #expect(try await payload(store, 5) == #"["f3", "f4"] 3"#)
        }
    }

    @Test(arguments: Backend.allCases)
    func `changes nothing where the record cannot be added`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            _ = try await store.enrol(.sample("f1", of: account))
            try await store.add(record())
            let before = try await enrolled(account, store)
            var enrolment = try FactorEnrolment.sample("f2", of: account, notice: .sample())
            enrolment.undo = try record()
            await #expect(throws: StoreRefusal.alreadySpent) { try await store.enrol(enrolment) }
            await #expect(throws: StoreRefusal.alreadySpent) {
                try await store.remove(
                    FactorID("f1"), of: account.id, in: .named(), keepingLast: false, notice: .sample(),
                    undo: removal())
            }
            await #expect(throws: StoreRefusal.alreadySpent) {
                try await store.removeFactors(
                    of: account.id, in: .named(), Revocation(reason: .factorsChanged, at: .now), notice: .sample(),
                    undo: removal())
            }
            await #expect(throws: StoreRefusal.alreadySpent) {
                try await store.replaceRecoveryCodes(
                    of: account.id, in: .named(), with: [[4]], notice: .sample(), undo: removal())
            }
            #expect(try await enrolled(account, store) == before)
            #expect(try await store.count() == 0)
            #expect(try await payload(store) == "\t")
        }
    }

    @Test(arguments: Backend.allCases)
    func `removes nothing if what was removed cannot be sealed`(backend: Backend) async throws {
        struct Unsealed: Error {}
        try await backend.withStore { store in
            let account = try await store.addAccount()
            _ = try await store.enrol(.sample("f1", of: account))
            let undo = FactorUndoRecord(key: try record().key, expiresAt: noon) { _ in throw Unsealed() }
            await #expect(throws: (any Error).self) {
                try await store.remove(
                    FactorID("f1"), of: account.id, in: .named(), keepingLast: false, notice: .sample(), undo: undo)
            }
            #expect(try await enrolled(account, store).factors.count == 1)
            #expect(try await store.count() == 0)
        }
    }

    // MARK: Undo

    @Test(arguments: Backend.allCases)
    func `removes what was added, ends all sessions and changes the credential version`(backend: Backend) async throws {
        try await backend.withStore { store in
            let (account, other) = (try await store.addAccount("jo"), try await store.addAccount("sam"))
            for id in ["s1", "s2"] { try await store.addSession(id, of: account) }
            try await store.addSession("other", of: other)
            _ = try await store.enrol(.sample("f1", of: account))
            _ = try await store.enrol(.sample("f2", of: account, session: "s1"))
            try await store.add(record())
            let outcome = try await store.undo(
                undo(account, adding: "f2", codes: [[1]], notice: .sample("m1"), at: noon.after(1)))
            #expect(outcome == .undone)
            #expect(try await enrolled(account, store).factors.map(\.id.text) == ["f1"])
            #expect(try await enrolled(account, store).recoveryCodesLeft == 2)
            #expect(try await store.sessions(of: account.id, in: .named(), at: noon) == [])
            #expect(try await store.state("other")?.session.revocation == nil)
            let changed = try #require(try await store.account(account.id, in: .named()))
            #expect(changed.credentialVersion == account.credentialVersion + 1)
            #expect(try await store.claim(at: noon, until: noon.after(60), limit: 9).map(\.id) == ["m1"])
            #expect(try await payload(store) == nil)
            // A sign-in that began before is refused.
            await #expect(throws: SampleRefused.self) { try await store.addSession("late", of: account) }
        }
    }

    @Test(arguments: Backend.allCases)
    func `removes all recovery codes with the last factor`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            _ = try await store.enrol(.sample("f1", of: account))
            try await store.add(record())
            #expect(try await store.undo(undo(account, adding: "f1")) == .undone)
            #expect(try await enrolled(account, store) == EnrolledFactors())
            let again = try await store.enrol(
                .sample("f1", of: #require(store.account(account.id, in: .named())), recoveryCodes: [[9]]))
            #expect(again == .enrolled(storedRecoveryCodes: true))
        }
    }

    @Test(arguments: Backend.allCases)
    func `keeps what was added if a record says that it signed in`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.addSession("s1", of: account)
            _ = try await store.enrol(.sample("f1", of: account, session: "s1"))
            for entry in [try record(), try record(2, .factorSignIn)] { try await store.add(entry) }
            let keys = try [record(3, .factorSignIn).key, record(2, .factorSignIn).key]
            let outcome = try await store.undo(undo(account, adding: "f1", codes: [[1]], signIns: keys))
            #expect(outcome == .additionKept)
            #expect(try await enrolled(account, store).factors.count == 1)
            #expect(try await enrolled(account, store).recoveryCodesLeft == 3)
            #expect(try await store.state("s1")?.session.revocation?.reason == .factorsChanged)
            #expect(try await payload(store) == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `keeps the passkey of an account that has no other way in`(backend: Backend) async throws {
        try await backend.withStore { store in
            var new = try NewAccount.local(email: "jo@example.com")
            new.passwordHash = nil
            let account = try await store.add(new, spending: nil)
            _ = try await store.enrol(.sample("f1", of: account, credentialID: [1]))
            try await store.add(record())
            #expect(try await store.undo(undo(account, adding: "f1")) == .additionKept)
            let current = try #require(try await store.account(account.id, in: .named()))
            _ = try await store.enrol(.sample("f2", of: current, credentialID: [2]))
            try await store.add(record(2))
            #expect(try await store.undo(undo(account, hash: 2, adding: "f2")) == .undone)
            #expect(try await enrolled(account, store).factors.map(\.id.text) == ["f1"])
        }
    }

    @Test(arguments: Backend.allCases)
    func `restores factors with their counters, and recovery codes`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            let removed = [try factor("f1", of: account), try factor("f2", of: account, credentialID: [1])]
            try await store.add(record())
            let outcome = try await store.undo(
                undo(account, restoring: RemovedFactors(factors: removed, recoveryCodes: [[1], [2]])))
            #expect(outcome == .undone)
            #expect(
                try await enrolled(account, store) == EnrolledFactors(factors: removed, recoveryCodesLeft: 2))
            #expect(try await store.passkey([1], in: .named()) == removed[1])
            #expect(try await store.redeemRecoveryCode([2], of: account.id, in: .named(), notice: nil))
        }
    }

    @Test(arguments: Backend.allCases)
    func `restores nothing whose addition was undone`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            _ = try await store.enrol(.sample("own", of: account, recoveryCodes: [[8]]))
            for number in UInt8(1)...4 { try await store.add(record(number)) }
            let undone = try ["thiefs": record(11, .undoneFactor), "code": record(12, .undoneFactor)]
            let added = UndoneFactorRecords(added: Array(undone.values))
            #expect(
                try await store.undo(undo(account, hash: 1, adding: "thiefs", codes: [[9]], undone: added)) == .undone)
            // Another link of the same addition finds the records.
            #expect(
                try await store.undo(undo(account, hash: 2, adding: "thiefs", codes: [[9]], undone: added)) == .undone)
            let removed = RemovedFactors(
                factors: [try factor("thiefs", of: account), try factor("mine", of: account)],
                recoveryCodes: [[9], [7]])
            let keys = UndoneFactorRecords(
                factors: [
                    try FactorID("thiefs"): try #require(undone["thiefs"]).key,
                    try FactorID("mine"): try record(13, .undoneFactor).key,
                ], recoveryCodes: [[9]: try #require(undone["code"]).key, [7]: try record(14, .undoneFactor).key])
            #expect(try await store.undo(undo(account, hash: 3, restoring: removed, undone: keys)) == .undone)
            #expect(try await enrolled(account, store).factors.map(\.id.text) == ["own", "mine"])
            #expect(try await !store.redeemRecoveryCode([9], of: account.id, in: .named(), notice: nil))
            #expect(try await store.redeemRecoveryCode([7], of: account.id, in: .named(), notice: nil))
        }
    }

    @Test(arguments: Backend.allCases)
    func `an addition that is kept can be restored`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            _ = try await store.enrol(.sample("f1", of: account))
            for entry in [try record(1), try record(2), try record(3, .factorSignIn)] { try await store.add(entry) }
            let tombstone = try record(11, .undoneFactor)
            let outcome = try await store.undo(
                undo(
                    account, adding: "f1", signIns: [record(3, .factorSignIn).key],
                    undone: UndoneFactorRecords(added: [tombstone])))
            #expect(outcome == .additionKept)
            _ = try await store.remove(
                FactorID("f1"), of: account.id, in: .named(), keepingLast: false, notice: nil)
            _ = try await store.undo(
                undo(
                    account, hash: 2, restoring: RemovedFactors(factors: [factor("f1", of: account)]),
                    undone: UndoneFactorRecords(factors: [FactorID("f1"): tombstone.key])))
            #expect(try await enrolled(account, store).factors.map(\.id.text) == ["f1"])
        }
    }

    @Test(arguments: Backend.allCases)
    func `restores no recovery codes to an account without a factor`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.add(record())
            _ = try await store.undo(undo(account, restoring: RemovedFactors(recoveryCodes: [[1]])))
            _ = try await store.enrol(
                .sample("f1", of: #require(store.account(account.id, in: .named())), recoveryCodes: [[9]]))
            #expect(try await enrolled(account, store).recoveryCodesLeft == 1)
            #expect(try await store.redeemRecoveryCode([9], of: account.id, in: .named(), notice: nil))
        }
    }

    @Test(arguments: Backend.allCases)
    func `restores what fits, ends the sessions and leaves the record valid`(backend: Backend) async throws {
        try await backend.withStore { store in
            let (jo, sam) = (try await store.addAccount("jo"), try await store.addAccount("sam"))
            for number in 0..<Factor.limitPerAccount - 1 { _ = try await store.enrol(.sample("f\(number)", of: jo)) }
            _ = try await store.enrol(.sample("s", of: sam, credentialID: [1]))
            try await store.addSession("s1", of: jo)
            try await store.add(record())
            let removed = [
                try factor("f0", of: jo), try factor("a", of: jo, credentialID: [1]), try factor("b", of: jo),
                try factor("c", of: jo),
            ]
            let outcome = try await store.undo(undo(jo, restoring: RemovedFactors(factors: removed)))
            #expect(outcome == .incomplete)
            let ids = try await enrolled(jo, store).factors.map(\.id.text)
            #expect(ids == (0..<Factor.limitPerAccount - 1).map { "f\($0)" } + ["b"])
            #expect(try await store.passkey([1], in: .named())?.account == sam.id)
            #expect(try await store.state("s1")?.session.revocation?.reason == .factorsChanged)
            #expect(try await payload(store) == "\t")
        }
    }

    @Test(arguments: Backend.allCases)
    func `changes nothing if the record is spent, expired or unknown`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.addSession("s1", of: account)
            _ = try await store.enrol(.sample("f1", of: account, session: "s1"))
            for hash in UInt8(1)...2 { try await store.add(record(hash)) }
            _ = try await store.spend(.factorUndo, [1], in: .named(), at: noon, for: nil, keeping: nil)
            for (hash, time) in [(1, noon), (2, noon.after(600)), (3, noon)] as [(UInt8, Date)] {
                await #expect(throws: StoreRefusal.alreadySpent) {
                    try await store.undo(undo(account, hash: hash, adding: "f1", notice: .sample(), at: time))
                }
            }
            #expect(try await enrolled(account, store).factors.count == 1)
            #expect(try await store.state("s1")?.session.revocation == nil)
            #expect(try await store.account(account.id, in: .named()) == account)
            #expect(try await store.count() == 0)
        }
    }

    @Test(arguments: Backend.allCases)
    func `changes nothing at an account that is disabled or deleted`(backend: Backend) async throws {
        try await backend.withStore { store in
            let (disabled, deleted) = (try await store.addAccount("jo"), try await store.addAccount("sam"))
            _ = try await store.change(disabled.id, in: .named(), AccountChange(isActive: false), at: noon)
            _ = try await store.delete(deleted.id, in: .named(), credentialVersion: nil)
            try await store.add(record())
            for account in [disabled, deleted] {
                let call = try undo(
                    account, restoring: RemovedFactors(factors: [factor("f1", of: account)]), notice: .sample())
                #expect(try await store.undo(call) == .overtaken)
                #expect(try await enrolled(account, store) == EnrolledFactors())
            }
            #expect(try await store.count() == 0)
            #expect(try await payload(store) == "\t")
        }
    }

    @Test(arguments: Backend.allCases)
    func `undoes a change for one of fifty parallel calls`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.add(record())
            let call = try undo(account, restoring: RemovedFactors(factors: [factor("f1", of: account)]))
            let outcomes = try await inParallel(50) { index -> FactorUndoOutcome? in
                var call = call
                call.notice = try .sample("m\(index)")
                do { return try await store.undo(call) } catch StoreRefusal.alreadySpent { return nil }
            }
            #expect(outcomes.compactMap(\.self) == [.undone])
            #expect(try await enrolled(account, store).factors.count == 1)
            #expect(try await store.count() == 1)
        }
    }
}
