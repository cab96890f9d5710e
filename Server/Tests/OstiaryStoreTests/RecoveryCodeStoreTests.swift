import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import Testing

@Suite struct RecoveryCodeStoreTests {
    /// The record of an answered challenge.
    private func answer() throws -> SingleUseRecord {
        SingleUseRecord(
            app: try .named(), kind: .answeredChallenge, hash: [1], payload: [], expiresAt: noon.after(600))
    }

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

    @Test(arguments: Backend.allCases)
    func `redeems a recovery code with a record, or neither`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            _ = try await store.enrol(.sample("f1", of: account))
            let record = try answer()
            @Sendable func redeem(_ code: UInt8) async throws -> Bool {
                try await store.redeemRecoveryCode(
                    [code], of: account.id, in: .named(), keeping: record, notice: .sample())
            }
            #expect(try await redeem(9) == false)
            #expect(
                try await store.singleUseRecord(record.kind, record.hash, in: record.app, at: noon) == nil)
            #expect(try await redeem(1))
            #expect(
                try await store.singleUseRecord(record.kind, record.hash, in: record.app, at: noon) == record)
            await #expect(throws: StoreRefusal.alreadySpent) { try await redeem(2) }
            #expect(try await enrolled(account, store).recoveryCodesLeft == 2)
            #expect(try await store.count() == 1)
        }
    }

    @Test(arguments: Backend.allCases)
    func `of fifty recovery codes with one record, one is redeemed`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            _ = try await store.enrol(.sample("f1", of: account))
            _ = try await store.replaceRecoveryCodes(
                of: account.id, in: .named(), with: (0..<50).map { [UInt8($0)] }, notice: nil)
            let record = try answer()
            let redeemed = try await inParallel(50) { number in
                do {
                    return try await store.redeemRecoveryCode(
                        [UInt8(number)], of: account.id, in: .named(), keeping: record, notice: nil)
                } catch StoreRefusal.alreadySpent {
                    return false
                }
            }
            #expect(redeemed.count { $0 } == 1)
            #expect(try await enrolled(account, store).recoveryCodesLeft == 49)
        }
    }
}
