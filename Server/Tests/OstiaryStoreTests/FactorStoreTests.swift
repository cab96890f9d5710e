import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import Testing

@Suite struct FactorStoreTests {
    private func recordUse(_ counter: Int64, of id: String = "f1", by account: Account, _ store: any Store)
        async throws -> Bool
    {
        try await store.recordUse(
            of: FactorID(id), of: account.id, in: account.app, counter: counter, at: noon.after(Double(counter)))
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
