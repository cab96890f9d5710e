import Foundation
import OstiaryCore
import OstiaryEngine
@testable import OstiaryStore
import Testing

extension EventRecordingTests {
    /// Prepares a change, calls `watch`, and makes the change.
    static func make(_ change: Change, in store: any Store, watching watch: () async throws -> Void) async throws {
        switch change {
        case .addAccount, .addAccountWithFactors, .addPasskeyAccount, .addProviderAccount, .updateProviderAccount,
            .claimImportedAccount:
            try await add(change, in: store, watching: watch)
        case .rename, .changeRoles, .disable, .disableTwice, .enable, .changeNothing, .setPassword, .endAccess,
            .upgradeHash, .provePasswordReset, .delete:
            try await changeAccount(change, in: store, watching: watch)
        case .openSession, .openSessionsBeyondTheLimit, .revoke, .revokeTwice, .revokeExpired, .revokeAll, .rotate:
            try await changeSessions(change, in: store, watching: watch)
        case .enrol, .enrolAtSignIn, .renameFactor, .removeFactor, .removeFactors, .undoAddition, .undoRemoval,
            .useFactor, .replaceRecoveryCodes:
            try await changeFactors(change, in: store, watching: watch)
        case .requestReset, .requestResetAgain, .requestResetOfNobody:
            try await requestReset(change, in: store, watching: watch)
        }
    }

    private static func add(_ change: Change, in store: any Store, watching watch: () async throws -> Void) async throws
    {
        switch change {
        case .addAccountWithFactors:
            try await watch()
            var new = try NewAccount.local(email: "jo@example.com", id: "jo")
            new.factors = [
                Factor(
                    app: new.app, account: try AccountID("jo"), id: try FactorID("f1"), kind: .totp, name: "Phone",
                    material: [1], counter: 0, createdAt: noon)
            ]
            _ = try await store.add(new, spending: nil)
        case .addPasskeyAccount:
            try await watch()
            var new = try NewAccount.local(email: "jo@example.com")
            new.passwordHash = nil
            new.passkey = NewPasskey(
                id: try FactorID("f1"), name: "Passkey", material: [1], credentialID: [1], counter: 0)
            _ = try await store.add(new, spending: nil)
        case .addProviderAccount:
            try await watch()
            _ = try await store.account(of: upsert())
        case .updateProviderAccount:
            _ = try await store.account(of: upsert())
            try await watch()
            _ = try await store.account(of: upsert(name: "Joanna"))
            _ = try await store.account(of: upsert(name: "Joanna"))
        case .claimImportedAccount:
            _ = try await store.add(.social(subject: "s1", email: "jo@example.com"), spending: nil)
            try await watch()
            _ = try await store.account(of: upsert(name: nil))
        default:
            try await watch()
            _ = try await store.addAccount()
        }
    }

    private static func changeAccount(
        _ change: Change, in store: any Store, watching watch: () async throws -> Void
    ) async throws {
        let jo = try await store.addAccount()
        try await store.addSession("s1", of: jo)
        func apply(_ change: AccountChange) async throws {
            _ = try await store.change(jo.id, in: jo.app, change, at: noon.after(1))
        }
        switch change {
        case .rename:
            try await watch()
            try await apply(AccountChange(fullName: PersonName("Jo")))
        case .changeRoles:
            try await watch()
            try await apply(AccountChange(addedRoles: [RoleAssignment("editor")]))
        case .disable:
            try await watch()
            try await apply(AccountChange(isActive: false))
        case .disableTwice:
            try await apply(AccountChange(isActive: false))
            try await watch()
            try await apply(AccountChange(isActive: false))
        case .enable:
            try await apply(AccountChange(isActive: false))
            try await watch()
            try await apply(AccountChange(isActive: true))
        case .setPassword:
            try await watch()
            _ = try await store.setPassword(
                PasswordChange(
                    app: jo.app, account: jo.id, hash: "$2b$10$new", reason: .passwordChanged, at: noon.after(1)))
        case .endAccess:
            try await watch()
            _ = try await store.setPassword(
                PasswordChange(app: jo.app, account: jo.id, hash: nil, reason: .deniedByOwner, at: noon.after(1)))
        case .upgradeHash:
            try await watch()
            try await store.upgradePasswordHash(of: jo.id, in: jo.app, from: "$2b$10$hash", to: "$2b$12$hash")
        case .provePasswordReset:
            // With a factor the reset itself proves nothing.
            _ = try await store.enrol(.sample("f1", of: jo))
            try await store.replace(with: .sample(1, of: jo))
            _ = try await store.setPassword(
                PasswordChange(
                    app: jo.app, account: jo.id, hash: "$2b$10$new", spending: .resetToken(hash: [1], app: jo.app),
                    reason: .passwordReset, at: noon.after(1)))
            try await watch()
            try await store.forgetPasswordReset(
                of: jo.id, in: jo.app, credentialVersion: jo.credentialVersion + 1, provingEmail: true)
        case .delete:
            _ = try await store.enrol(.sample("f1", of: jo))
            try await watch()
            #expect(try await store.delete(jo.id, in: jo.app, credentialVersion: nil))
        default:
            try await watch()
            try await apply(AccountChange())
        }
    }

    private static func changeSessions(
        _ change: Change, in store: any Store, watching watch: () async throws -> Void
    ) async throws {
        let jo = try await store.addAccount()
        let end = Revocation(reason: .signOut, at: noon.after(10))
        switch change {
        case .openSession:
            try await watch()
            try await store.addSession("s1", of: jo)
        case .openSessionsBeyondTheLimit:
            for number in 0..<Session.limitPerAccount { try await store.addSession("s\(number)", of: jo) }
            try await watch()
            try await store.addSession("last", of: jo)
        case .revokeExpired:
            try await store.addSession("s1", of: jo, idleSeconds: 5)
            try await watch()
            _ = try await store.revokeAll(of: jo.id, in: jo.app, keeping: nil, end)
        case .revokeAll:
            for id in ["s1", "s2", "s3"] { try await store.addSession(id, of: jo) }
            try await watch()
            #expect(try await store.revokeAll(of: jo.id, in: jo.app, keeping: SessionID("s2"), end) == 2)
        case .rotate:
            try await store.addSession("s1", of: jo)
            try await watch()
            _ = try await store.rotate("s1", from: 0, at: noon.after(1))
            store.noteUse(of: 1, in: try SessionID("s1"), app: jo.app, at: noon.after(2))
            try await store.settle()
        default:
            try await store.addSession("s1", of: jo)
            if change == .revokeTwice { _ = try await store.revoke(SessionID("s1"), in: jo.app, end) }
            try await watch()
            _ = try await store.revoke(SessionID("s1"), in: jo.app, end)
        }
    }

    private static func changeFactors(
        _ change: Change, in store: any Store, watching watch: () async throws -> Void
    ) async throws {
        let jo = try await store.addAccount()
        try await store.addSession("s1", of: jo)
        try await store.addSession("s2", of: jo)
        let end = Revocation(reason: .factorsChanged, at: noon.after(1))
        let record = SingleUseRecord(
            app: jo.app, kind: .factorUndo, hash: [1], payload: [9], expiresAt: noon.after(600))
        func undo(adding: String? = nil, restoring: [Factor] = []) throws -> FactorUndo {
            FactorUndo(
                app: jo.app, account: jo.id, spending: record.key, addedFactor: try adding.map { try FactorID($0) },
                removed: RemovedFactors(factors: restoring), at: noon.after(1))
        }
        switch change {
        case .enrol:
            try await watch()
            _ = try await store.enrol(.sample("f1", of: jo, session: "s1", at: noon.after(1)))
        case .enrolAtSignIn:
            _ = try await store.revoke(SessionID("s2"), in: jo.app, end)
            try await watch()
            var enrolment = try FactorEnrolment.sample("f1", of: jo, at: noon.after(1))
            enrolment.opening = SessionToOpen(
                session: Session(
                    id: try SessionID("s3"), app: jo.app, accountID: jo.id, createdAt: noon, idleSeconds: 60,
                    endsAt: noon.after(60)))
            _ = try await store.enrol(enrolment)
        case .undoAddition:
            var enrolment = try FactorEnrolment.sample("f1", of: jo, session: "s1")
            enrolment.undo = record
            _ = try await store.enrol(enrolment)
            try await watch()
            #expect(try await store.undo(undo(adding: "f1")) == .undone)
        case .undoRemoval:
            let enrolment = try FactorEnrolment.sample("f1", of: jo, session: "s1")
            _ = try await store.enrol(enrolment)
            _ = try await store.remove(
                FactorID("f1"), of: jo.id, in: jo.app, keepingLast: false, notice: nil,
                undo: FactorUndoRecord(key: record.key, expiresAt: noon.after(600)) { _ in [9] })
            try await watch()
            #expect(try await store.undo(undo(restoring: [enrolment.factor])) == .undone)
        default:
            _ = try await store.enrol(.sample("f1", of: jo, session: "s1"))
            try await watch()
            try await useFactor(change, of: jo, in: store, end)
        }
    }

    private static func useFactor(
        _ change: Change, of jo: Account, in store: any Store, _ end: Revocation
    ) async throws {
        let id = try FactorID("f1")
        switch change {
        case .renameFactor: _ = try await store.rename(id, of: jo.id, in: jo.app, to: "Tablet")
        case .removeFactor:
            _ = try await store.remove(id, of: jo.id, in: jo.app, keepingLast: false, notice: nil)
        case .removeFactors: _ = try await store.removeFactors(of: jo.id, in: jo.app, end, notice: nil)
        case .useFactor: _ = try await store.recordUse(of: id, of: jo.id, in: jo.app, counter: 6, at: noon)
        default: _ = try await store.replaceRecoveryCodes(of: jo.id, in: jo.app, with: [[9]], notice: nil)
        }
    }

    private static func requestReset(
        _ change: Change, in store: any Store, watching watch: () async throws -> Void
    ) async throws {
        let jo = try await store.addAccount()
        if change == .requestResetAgain { try await store.replace(with: .sample(1, of: jo)) }
        try await watch()
        try await store.replace(with: .sample(2, of: change == .requestResetOfNobody ? nil : jo))
    }

    private static func upsert(name: String? = "Jo") throws -> ProviderAccountUpsert {
        ProviderAccountUpsert(
            app: try .named(), idKind: .integer, kind: "auth0",
            identity: ProviderIdentity(
                issuer: "https://a.example", subject: "s1", email: try EmailAddress("jo@example.com"),
                isEmailVerified: false, fullName: try name.map { try PersonName($0) }),
            usernames: [], hasUniqueUsernames: false, passwordHash: nil, signsInByEmail: false, claimsImported: true,
            at: noon)
    }
}
