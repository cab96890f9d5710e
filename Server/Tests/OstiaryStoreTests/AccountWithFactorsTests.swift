import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import Testing

/// Accounts that are added with their second factors, as by an import.
@Suite struct AccountWithFactorsTests {
    private func factor(
        _ id: String, of account: String, credentialID: [UInt8]? = nil, counter: Int64 = 5
    ) throws -> Factor {
        Factor(
            app: try .named(), account: try AccountID(account), id: try FactorID(id),
            kind: credentialID == nil ? .totp : .passkey, name: "Jo’s Phone", material: [7, 8],
            credentialID: credentialID, counter: counter, createdAt: noon.after(-3600), lastUsedAt: noon.after(-60))
    }

    private func account(_ id: String, _ factors: [Factor], codes: [[UInt8]] = []) throws -> NewAccount {
        var new = try NewAccount.local(email: "\(id)@example.com", id: id)
        new.factors = factors
        new.recoveryCodes = codes
        return new
    }

    @Test(arguments: Backend.allCases)
    func `adds an account with its factors and recovery codes`(backend: Backend) async throws {
        try await backend.withStore { store in
            let factors = [try factor("f1", of: "jo"), try factor("f2", of: "jo", credentialID: [1, 2])]
            let added = try await store.add(account("jo", factors, codes: [[3], [1], [2], [1]]), spending: nil)
            #expect(
                try await store.factors(of: added.id, in: .named())
                    == EnrolledFactors(factors: factors, recoveryCodesLeft: 3))
            #expect(try await store.recoveryCodes(of: added.id, in: .named()) == [[1], [2], [3]])
            #expect(try await store.passkey([1, 2], in: .named()) == factors[1])
            #expect(
                try await store.recordUse(of: FactorID("f1"), of: added.id, in: .named(), counter: 5, at: noon)
                    == false)
            #expect(try await store.recordUse(of: FactorID("f1"), of: added.id, in: .named(), counter: 6, at: noon))
            #expect(try await store.redeemRecoveryCode([2], of: added.id, in: .named(), notice: nil))
            #expect(try await store.recoveryCodes(of: added.id, in: .named()) == [[1], [3]])
        }
    }

    @Test(arguments: Backend.allCases)
    func `adds nothing of an account with another one's factor`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try await store.add(
                account("jo", [try factor("f1", of: "jo"), try factor("f2", of: "jo", credentialID: [1])]),
                spending: nil)
            for taken in [try factor("f1", of: "sam"), try factor("f3", of: "sam", credentialID: [1])] {
                await #expect(throws: StoreRefusal.identifierTaken) {
                    try await store.add(
                        account("sam", [try factor("f4", of: "sam"), taken], codes: [[1]]), spending: nil)
                }
                #expect(try await store.account(AccountID("sam"), in: .named()) == nil)
                #expect(
                    try await store.account(identifiedBy: .email(EmailAddress("sam@example.com")), in: .named()) == nil)
                #expect(try await store.factors(of: AccountID("sam"), in: .named()) == EnrolledFactors())
            }
            let sam = try await store.add(account("sam", [try factor("f4", of: "sam")]), spending: nil)
            #expect(try await store.factors(of: sam.id, in: .named()).factors.count == 1)
        }
    }

    @Test(arguments: Backend.allCases)
    func `adds no factors of an account whose name is taken`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try await store.addAccount("jo")
            await #expect(throws: StoreRefusal.identifierTaken) {
                var new = try account("other", [try factor("f1", of: "other")], codes: [[1]])
                new.email = try EmailAddress("jo@example.com")
                return try await store.add(new, spending: nil)
            }
            #expect(try await store.factors(of: AccountID("other"), in: .named()) == EnrolledFactors())
            #expect(try await store.recoveryCodes(of: AccountID("other"), in: .named()).isEmpty)
        }
    }
}
