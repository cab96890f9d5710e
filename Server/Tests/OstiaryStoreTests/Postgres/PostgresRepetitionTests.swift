import Foundation
import OstiaryCore
import OstiaryEngine
@testable import OstiaryStore
import PostgresServer
import Testing

/// A commit whose answer was lost is retried. The retry is idempotent.
@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed"))
struct PostgresRepetitionTests {
    private let operation = WriteOperation(.system)

    private func withStore(_ body: (PostgresStore) async throws -> Void) async throws {
        try await PostgresServer.shared().withNodes(1) { try await body($0[0]) }
    }

    @Test func `adds one account and spends one code`() async throws {
        try await withStore { store in
            try await store.replace(with: .sample("c1"))
            let new = try NewAccount.local(email: "jo@example.com", ids: .integer)
            let code = SingleUseSecret.code(id: "c1", app: try .named())
            let once = try await store.add(new, spending: code, as: operation)
            #expect(try await store.add(new, spending: code, as: operation) == once)
            #expect(try await store.accounts(in: .named(), after: nil, limit: 10).page == [once])
            await #expect(throws: StoreRefusal.alreadySpent) { try await store.add(new, spending: code) }
        }
    }

    @Test func `waits for the try before that is still under way`() async throws {
        try await withStore { store in
            let new = try NewAccount.local(email: "jo@example.com")
            let added = try await inParallel(10) { _ in try await store.add(new, spending: nil, as: operation) }
            #expect(Set(added).count == 1)
        }
    }

    @Test func `sets a password once for one reset token`() async throws {
        try await withStore { store in
            let account = try await store.addAccount()
            try await store.replace(with: .sample(1, of: account))
            let change = try PasswordChange(
                app: account.app, account: account.id, hash: "new",
                spending: .resetToken(hash: [1], app: account.app), credentialVersion: 0, reason: .passwordReset,
                notice: .sample("told"), at: noon)
            #expect(try await store.setPassword(change, as: operation))
            try await store.remove("told")
            #expect(try await store.setPassword(change, as: operation))
            let queued = try await store.claim(at: noon, until: noon.after(60), limit: 9)
            #expect(!queued.map(\.id).contains("told"))
            #expect(try await store.account(account.id, in: .named())?.credentialVersion == 1)
            #expect(try await store.setPassword(change) == false)
        }
    }

    @Test func `does not end a sign-in that came after the password was set`() async throws {
        try await withStore { store in
            let account = try await store.addAccount()
            let change = PasswordChange(
                app: account.app, account: account.id, hash: "new", reason: .passwordChanged, at: noon)
            #expect(try await store.setPassword(change, as: operation))
            let after = try #require(try await store.account(account.id, in: .named()))
            try await store.addSession("s1", of: after)
            #expect(try await store.setPassword(change, as: operation))
            #expect(try await store.state("s1")?.session.revocation == nil)
        }
    }

    @Test func `deletes an account and says so again`() async throws {
        try await withStore { store in
            let account = try await store.addAccount()
            #expect(try await store.delete(account.id, in: .named(), credentialVersion: 0, as: operation))
            #expect(try await store.delete(account.id, in: .named(), credentialVersion: 0, as: operation))
            #expect(try await store.delete(account.id, in: .named(), credentialVersion: 0) == false)
        }
    }

    @Test func `disables an account once`() async throws {
        try await withStore { store in
            let account = try await store.addAccount()
            for _ in 0..<2 {
                let now = try await store.change(
                    account.id, in: .named(),
                    AccountChange(addedRoles: try RoleAssignment.read(["a"]), isActive: false), at: noon)
                #expect(now?.credentialVersion == 1 && now?.roles == ["a"])
            }
        }
    }

    @Test func `does not refuse the repetition of a change for what the first try wrote`() async throws {
        try await withStore { store in
            let account = try await store.addAccount()
            var change = AccountChange(replacedRoles: try RoleAssignment.read(["a"]))
            change.expectedRoles = EntityTag(rolesOf: account)
            for _ in 0..<2 {
                let changed = try await store.change(account.id, in: .named(), change, at: noon, as: operation)
                #expect(changed?.roles == ["a"])
            }
            await #expect(throws: StoreRefusal.overtaken) {
                try await store.change(account.id, in: .named(), change, at: noon)
            }
            let before = StoredRole(app: account.app, name: "a", permissions: [])
            let after = StoredRole(app: account.app, name: "a", permissions: [.all])
            #expect(try await store.add(before, limit: 10) == .added)
            for _ in 0..<2 { #expect(try await store.replace(after, from: before)) }
        }
    }

    @Test func `changes an identifier once, and informs the owner once`() async throws {
        try await withStore { store in
            let account = try await store.addAccount()
            var change = AccountChange()
            change.identifiers = IdentifierChange()
            change.identifiers?.email = .replaced(try EmailAddress("new@example.com"))
            change.identifiers?.notice = try .sample("notice")
            for _ in 0..<2 {
                let changed = try await store.change(account.id, in: .named(), change, at: noon, as: operation)
                #expect(changed?.credentialVersion == account.credentialVersion + 1)
                try await store.remove("notice")
            }
            #expect(try await store.count() == 0)
        }
    }

    @Test func `takes one try of a code, the last one too`() async throws {
        try await withStore { store in
            try await store.replace(with: .sample("c1", tries: 1))
            for _ in 0..<2 {
                let code = try await store.takeTry(recipient: [1], id: "c1", in: .named(), at: noon, as: operation)
                #expect(code?.triesLeft == 0)
            }
            #expect(try await store.takeTry(recipient: [1], id: "c1", in: .named(), at: noon) == nil)
        }
    }

    @Test func `gives one try back`() async throws {
        try await withStore { store in
            try await store.replace(with: .sample("c1", tries: 1))
            _ = try await store.takeTry(recipient: [1], id: nil, in: .named(), at: noon)
            for _ in 0..<3 { try await store.giveTryBack("c1", in: .named(), as: operation) }
            #expect(try await store.takeTry(recipient: [1], id: nil, in: .named(), at: noon)?.triesLeft == 0)
            #expect(try await store.takeTry(recipient: [1], id: nil, in: .named(), at: noon) == nil)
        }
    }

    @Test func `gives no tries back when a code is kept again`() async throws {
        try await withStore { store in
            try await store.replace(with: .sample("c1", tries: 5), as: operation)
            _ = try await store.takeTry(recipient: [1], id: nil, in: .named(), at: noon)
            try await store.replace(with: .sample("c1", tries: 5), as: operation)
            #expect(try await store.takeTry(recipient: [1], id: nil, in: .named(), at: noon)?.triesLeft == 3)
        }
    }

    private func singleUseRecord(_ kind: SingleUseRecord.Kind = .browserSignIn, payload: [UInt8] = [9]) throws
        -> SingleUseRecord
    {
        SingleUseRecord(app: try .named(), kind: kind, hash: [1], payload: payload, expiresAt: noon.after(600))
    }

    private func spend(
        _ store: PostgresStore, keeping successor: SingleUseRecord? = nil, as operation: WriteOperation
    ) async throws -> Redemption {
        try await store.spend(
            .browserSignIn, [1], in: .named(), at: noon, for: SessionID("s1"), keeping: successor, as: operation)
    }

    @Test func `keeps a record, also when it was spent meanwhile`() async throws {
        try await withStore { store in
            for _ in 0..<2 { try await store.add(singleUseRecord(), as: operation) }
            await #expect(throws: StoreRefusal.alreadySpent) { try await store.add(singleUseRecord()) }
            #expect(try await spend(store, as: WriteOperation(.system)) == .spent(singleUseRecord()))
            try await store.add(singleUseRecord(), as: operation)
            #expect(try await store.singleUseRecord(.browserSignIn, [1], in: .named(), at: noon) == nil)
        }
    }

    @Test func `spends a record and says so again`() async throws {
        try await withStore { store in
            try await store.add(singleUseRecord())
            for _ in 0..<2 { #expect(try await spend(store, as: operation) == .spent(singleUseRecord())) }
            let other = try await spend(store, as: WriteOperation(.system))
            #expect(other == .replayed(try singleUseRecord(), session: try SessionID("s1")))
        }
    }

    @Test func `spends a record for its successor and says so again, though that was spent meanwhile`() async throws {
        try await withStore { store in
            try await store.add(singleUseRecord())
            let successor = try singleUseRecord(.browserReturn, payload: [8])
            #expect(try await spend(store, keeping: successor, as: operation) == .spent(singleUseRecord()))
            let used = try await store.spend(
                .browserReturn, [1], in: .named(), at: noon, for: nil, keeping: nil)
            #expect(used == .spent(successor))
            #expect(try await spend(store, keeping: successor, as: operation) == .spent(singleUseRecord()))
            #expect(try await store.singleUseRecord(.browserReturn, [1], in: .named(), at: noon) == nil)
        }
    }

    @Test func `spends nothing where the successor cannot be kept`() async throws {
        try await withStore { store in
            try await store.add(singleUseRecord())
            let successor = try singleUseRecord(.browserReturn)
            try await store.add(successor)
            await #expect(throws: StoreRefusal.alreadySpent) {
                try await spend(store, keeping: successor, as: operation)
            }
            #expect(try await store.singleUseRecord(.browserSignIn, [1], in: .named(), at: noon) != nil)
        }
    }

    @Test func `enrols one factor and returns the same outcome again`() async throws {
        try await withStore { store in
            let account = try await store.addAccount()
            try await store.add(singleUseRecord(.pendingFactor))
            let first = try FactorEnrolment.sample(
                "f1", of: account, spending: singleUseRecord(.pendingFactor).key, notice: .sample("told"))
            #expect(try await store.enrol(first, as: operation) == .enrolled(storedRecoveryCodes: true))
            try await store.remove("told")
            #expect(try await store.redeemRecoveryCode([1], of: account.id, in: .named(), notice: nil))
            #expect(try await store.enrol(first, as: operation) == .enrolled(storedRecoveryCodes: true))
            let enrolled = try await store.factors(of: account.id, in: .named())
            #expect(enrolled.factors == [first.factor] && enrolled.recoveryCodesLeft == 2)
            #expect(try await store.count() == 0)
            let (second, other) = (try FactorEnrolment.sample("f2", of: account), WriteOperation(.system))
            for _ in 0..<2 {
                #expect(try await store.enrol(second, as: other) == .enrolled(storedRecoveryCodes: false))
            }
        }
    }

    @Test func `replaces factors once and returns the same outcome again`() async throws {
        try await withStore { store in
            let account = try await store.addAccount()
            _ = try await store.enrol(.sample("f1", of: account))
            var enrolment = try FactorEnrolment.sample("f2", of: account)
            enrolment.replacesFactors = true
            for _ in 0..<2 {
                let outcome = try await store.enrol(enrolment, as: operation)
                #expect(outcome == .enrolled(storedRecoveryCodes: false))
            }
            let enrolled = try await store.factors(of: account.id, in: .named())
            #expect(enrolled == EnrolledFactors(factors: [enrolment.factor]))
            #expect(try await store.account(account.id, in: .named())?.credentialVersion == 1)
        }
    }

    @Test func `removes a factor and returns it again`() async throws {
        try await withStore { store in
            let account = try await store.addAccount()
            for id in ["f1", "f2"] { _ = try await store.enrol(.sample(id, of: account)) }
            let factors = try await store.factors(of: account.id, in: .named()).factors
            let first = try #require(factors.first)
            for _ in 0..<2 {
                let removal = try await store.remove(
                    first, keepingLast: true, notice: .sample("told"), as: operation)
                #expect(removal == .removed(first))
            }
            #expect(try await store.factors(of: account.id, in: .named()).factors == Array(factors.dropFirst()))
            #expect(
                try await store.remove(first, keepingLast: true, notice: nil, as: WriteOperation(.system)) == .unknown)
        }
    }

    @Test func `removes all factors and returns their number again`() async throws {
        try await withStore { store in
            let account = try await store.addAccount()
            for id in ["f1", "f2"] { _ = try await store.enrol(.sample(id, of: account)) }
            for _ in 0..<2 {
                let removed = try await store.removeFactors(
                    of: account.id, in: .named(), Revocation(reason: .factorsChanged, at: noon),
                    notice: .sample("told"), as: operation)
                #expect(removed == 2)
            }
        }
    }

    @Test func `undoes a change of factors and returns the outcome again`() async throws {
        try await withStore { store in
            let account = try await store.addAccount()
            let enrolment = try FactorEnrolment.sample("f1", of: account)
            try await store.add(singleUseRecord(.factorUndo))
            let undo = FactorUndo(
                app: try .named(), account: account.id, spending: try singleUseRecord(.factorUndo).key,
                removed: RemovedFactors(factors: [enrolment.factor]), notice: try .sample("told"), at: noon)
            for _ in 0..<2 { #expect(try await store.undo(undo, as: operation) == .undone) }
            #expect(try await store.factors(of: account.id, in: .named()).factors == [enrolment.factor])
            #expect(try await store.account(account.id, in: .named())?.credentialVersion == 1)
            await #expect(throws: StoreRefusal.alreadySpent) {
                try await store.undo(undo, as: WriteOperation(.system))
            }
        }
    }

    @Test func `restores no redeemed recovery code when the codes are replaced again`() async throws {
        try await withStore { store in
            let account = try await store.addAccount()
            _ = try await store.enrol(.sample("f1", of: account))
            for _ in 0..<2 {
                let isReplaced = try await store.replaceRecoveryCodes(
                    of: account.id, in: .named(), with: [[4], [5]], notice: .sample("told"), as: operation)
                #expect(isReplaced)
                _ = try await store.redeemRecoveryCode([4], of: account.id, in: .named(), notice: nil)
            }
            #expect(try await store.factors(of: account.id, in: .named()).recoveryCodesLeft == 1)
        }
    }

    @Test func `redeems a recovery code and returns true again`() async throws {
        try await withStore { store in
            let account = try await store.addAccount()
            _ = try await store.enrol(.sample("f1", of: account))
            for _ in 0..<2 {
                let isRedeemed = try await store.redeemRecoveryCode(
                    [1], of: account.id, in: .named(), keeping: singleUseRecord(.answeredChallenge),
                    notice: .sample("told"), as: operation)
                #expect(isRedeemed)
            }
            #expect(try await store.redeemRecoveryCode([1], of: account.id, in: .named(), notice: nil) == false)
        }
    }

    @Test func `records a use of a factor and returns true again`() async throws {
        try await withStore { store in
            let account = try await store.addAccount()
            let factor = try FactorEnrolment.sample("f1", of: account)
            _ = try await store.enrol(factor)
            for _ in 0..<2 {
                let isRecorded = try await store.recordUse(
                    of: factor.factor.id, of: account.id, in: .named(), counter: 5, at: noon, as: operation)
                #expect(isRecorded)
            }
            let other = try await store.recordUse(
                of: factor.factor.id, of: account.id, in: .named(), counter: 5, at: noon)
            #expect(other == false)
        }
    }

    @Test func `records a use of an attested key and returns true again`() async throws {
        try await withStore { store in
            let key = AppKey(
                app: try .named(), id: [1], publicKey: [4], appID: "TEAM.app", createdAt: noon, keptUntil: noon.after(9)
            )
            try await store.add(key)
            for _ in 0..<2 {
                let isRecorded = try await store.recordUse(
                    ofAppKey: key.id, in: key.app, counter: 5, keptUntil: noon, as: operation)
                #expect(isRecorded)
            }
            #expect(try await !store.recordUse(ofAppKey: key.id, in: key.app, counter: 5, keptUntil: noon))
        }
    }

    @Test func `opens a session by the secret of a device and returns true again`() async throws {
        try await withStore { store in
            let account = try await store.addAccount()
            var device = RecognizedDevice(
                id: try DeviceID("d1"), app: account.app, accountID: account.id, hash: [1], createdAt: noon)
            #expect(try await store.add(device, credentialVersion: 0))
            device.hash = [2]
            let session = Session(
                id: try SessionID("s1"), app: account.app, accountID: account.id, createdAt: noon, idleSeconds: 60,
                endsAt: noon.after(600))
            let opening = SessionOpening(
                session: session, credentialVersion: 0, keeping: 9, renewal: DeviceRenewal(of: [1], by: device))
            for _ in 0..<2 { #expect(try await store.open(opening)) }
            #expect(try await store.sessions(of: account.id, in: account.app, at: noon).count == 1)
        }
    }

    @Test func `replaces an authentication and returns true again`() async throws {
        try await withStore { store in
            try await store.addSession("s1", of: store.addAccount())
            for _ in 0..<2 {
                let isReplaced = try await store.replaceAuthentication(
                    of: SessionID("s1"), in: .named(), from: .sample(), to: .sample(.totp), as: operation)
                #expect(isReplaced)
            }
            let other = try await store.replaceAuthentication(
                of: SessionID("s1"), in: .named(), from: .sample(), to: .sample(.totp))
            #expect(other == false)
        }
    }

    @Test func `knows no code by an id that holds NUL`() async throws {
        try await withStore { store in
            try await store.replace(with: .sample("c1"))
            #expect(try await store.takeTry(recipient: [1], id: "c1\0", in: .named(), at: noon) == nil)
        }
    }
}
