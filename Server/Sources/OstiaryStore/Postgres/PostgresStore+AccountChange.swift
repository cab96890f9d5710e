package import Foundation
package import OstiaryCore
package import OstiaryEngine
import OstiaryPostgres

extension PostgresStore {
    package func change(
        _ id: AccountID, in app: AppName, _ change: AccountChange, at now: Date
    ) async throws -> Account? {
        try await self.change(id, in: app, change, at: now, as: WriteOperation(system))
    }

    func change(
        _ id: AccountID, in app: AppName, _ change: AccountChange, at now: Date, as operation: WriteOperation
    ) async throws -> Account? {
        do {
            return try await transaction { tx in
                // Otherwise a repetition writes what is there.
                if change.isConditional {
                    guard try await tx.begin(operation) == .first else { return try await tx.account(id, in: app) }
                }
                return try await tx.change(id, in: app, change, at: now)
            }
        } catch StoreError.postgres(.refused(.uniqueViolation, _)) {
            // Another transaction took the phone number after it was looked up.
            throw StoreRefusal.identifierTaken
        }
    }
}

extension PostgresTransaction {
    /// Applies a change to the account, which is locked before it is read, so that of two concurrent changes neither is lost.
    ///
    /// - Throws: ``StoreRefusal``.
    fileprivate func change(
        _ id: AccountID, in app: AppName, _ change: AccountChange, at now: Date
    ) async throws -> Account? {
        if let role = change.keptRole, change.canEndRole {
            try await lockHolders(of: role, in: app, wholly: change.identifiers != nil)
        }
        // An update of a unique column takes the stronger lock, which is not to be waited for while the weaker one is held.
        let locked = try await change.identifiers == nil ? lockedAccount(id, in: app) : whollyLockedAccount(id, in: app)
        guard let before = locked else { return nil }
        var passkeys = 0
        if change.identifiers?.unlinking != nil {
            passkeys = try await factors(of: id, in: app).count { $0.kind == .passkey }
        }
        let after = try change.applied(to: before, passkeys: passkeys)
        if let role = change.keptRole, before.isHolder(of: role), !after.isHolder(of: role) {
            try await requireHolder(of: role, besides: id, in: app)
        }
        let isRenamed = !after.hasSameIdentifiers(as: before)
        let update = try after.update(at: now)
        var statements: [PostgresStatement] = []
        if isRenamed {
            if after.phoneNumber != before.phoneNumber { try await requireFree(after.phoneNumber, in: app) }
            // The row before the names, as for a new account, against deadlocks: the row takes its phone number too.
            try await run([update])
            try await rename(from: before, to: after, by: change.identifiers)
        } else {
            statements.append(update)
        }
        if let reason = change.sessionEnd {
            // After the account is locked: a sign-in that came before is seen, and one that comes later is refused.
            statements.append(
                PostgresStore.endingSessions(of: id, in: app, keeping: nil, Revocation(reason: reason, at: now)))
        } else if change.endsImpersonations {
            statements.append(
                PostgresStore.endingImpersonations(of: id, in: app, Revocation(reason: .actorRevoked, at: now)))
        }
        if !before.keepsResetTokens(becoming: after) {
            statements.append(
                PostgresStatement(
                    "DELETE FROM reset_token WHERE app = $1 AND account_id = $2", [app.text, id.text]))
        }
        if !before.keepsSentLinks(becoming: after) {
            if let record = change.voidedLinks { statements.append(record.replacingEarlier) }
            statements += change.voidedCodes.map { recipient in
                PostgresStatement("DELETE FROM code WHERE app = $1 AND recipient = $2", [app.text, recipient])
            }
        }
        if isRenamed, let notice = change.identifiers?.notice { statements.append(notice.insertion) }
        try await commit(after: statements)
        return after
    }

    private func whollyLockedAccount(_ id: AccountID, in app: AppName) async throws -> Account? {
        try await run("\(Self.accountByID) FOR UPDATE", [app.text, id.text]).value { try $0.account() }
    }

    /// Looks a phone number up. Does not rely on the unique index's error, because the database server would log the number.
    ///
    /// - Throws: ``StoreRefusal/identifierTaken``.
    private func requireFree(_ number: PhoneNumber?, in app: AppName) async throws {
        guard let number else { return }
        let isFree = try await run(
            "SELECT 1 FROM account WHERE app = $1 AND phone_number = $2", [app.text, number.e164]
        ).isEmpty
        guard isFree else { throw StoreRefusal.identifierTaken }
    }

    /// Changes the names that the account signs in by.
    ///
    /// - Throws: ``StoreRefusal/identifierTaken``.
    private func rename(from before: Account, to after: Account, by change: IdentifierChange?) async throws {
        let (app, id) = (before.app, before.id)
        let owned = try await run(
            "SELECT name FROM account_name WHERE app = $1 AND account_id = $2", [app.text, id.text]
        ).values { try $0.text() }
        let names = SignInNameChange(from: before, to: after, by: change, owned: owned)
        let taken = names.taken.map { name -> NameChange in
            names.email?.utf8.elementsEqual(name.utf8) == true ? .takeAsEmail(name) : .take(name)
        }
        let changes = names.dropped.map(NameChange.drop) + taken + names.takenIfFree.map(NameChange.takeIfFree)
        guard try await self.change(changes, of: id, in: app, unlessTaken: names.foreign) else {
            throw StoreRefusal.identifierTaken
        }
    }
}

extension Account {
    /// The statement that writes every column that a change may change.
    fileprivate func update(at now: Date) throws -> PostgresStatement {
        PostgresStatement(
            """
            UPDATE account SET
                revision = revision + 1, updated_at = $1, email = $2, username = $3, phone_number = $4, full_name = $5,
                roles = $6, is_active = $7, provider = $8, provider_issuer = $9, provider_subject = $10,
                is_email_verified = $11, is_phone_number_verified = $12, credential_version = $13,
                attributes = $14
            WHERE app = $15 AND id = $16
            """,
            [
                now.milliseconds, email?.text, username?.verbatim, phoneNumber?.e164, fullName?.text,
                try RoleList(assignments).text(), isActive, provider, providerIssuer, providerSubject, isEmailVerified,
                isPhoneNumberVerified, credentialVersion, AttributeText(attributes).text, app.text, id.text,
            ])
    }
}
