import Foundation
import GRDB
import OstiaryCore
import OstiaryEngine

extension Database {
    /// Applies a change to the account, which is read in the transaction that writes, so that of two concurrent changes neither
    /// is lost.
    ///
    /// - Returns: The updated account; nil if there is none.
    /// - Throws: ``StoreRefusal``.
    func change(_ id: AccountID, in app: AppName, _ change: AccountChange, at now: Date) throws -> Account? {
        guard let before = try account(id, in: app) else { return nil }
        let after = try change.applied(to: before, passkeys: passkeyCount(of: id, in: app, neededBy: change))
        if let role = change.keptRole, before.isHolder(of: role), !after.isHolder(of: role) {
            try requireHolder(of: role, besides: id, in: app)
        }
        let isRenamed = !after.hasSameIdentifiers(as: before)
        if isRenamed { try rename(from: before, to: after, by: change.identifiers) }
        try write(after, at: now)
        if let reason = change.sessionEnd {
            try endSessions(of: id, in: app, keeping: nil, Revocation(reason: reason, at: now))
        } else if change.endsImpersonations {
            try endImpersonations(of: id, in: app, Revocation(reason: .actorRevoked, at: now))
        }
        if !before.keepsResetTokens(becoming: after) {
            try run("DELETE FROM reset_token WHERE app = ?1 AND account_id = ?2", [app.text, id.text])
        }
        if !before.keepsSentLinks(becoming: after) {
            if let record = change.voidedLinks { try replaceEarlier(record) }
            for recipient in change.voidedCodes {
                try run("DELETE FROM code WHERE app = ?1 AND recipient = ?2", [app.text, Data(recipient)])
            }
        }
        if isRenamed, let notice = change.identifiers?.notice { try enqueue(notice) }
        return after
    }

    /// - Throws: ``StoreRefusal/lastHolder`` if no other active account has the role.
    func requireHolder(of role: String, besides id: AccountID, in app: AppName) throws {
        let other = try row(
            """
            SELECT 1 FROM account_role r JOIN account a ON a.number = r.number
            WHERE r.app = ?1 AND r.role = ?2 AND a.is_active AND a.id <> ?3 LIMIT 1
            """, [app.text, role, id.text], read: { try $0.integer() })
        guard other != nil else { throw StoreRefusal.lastHolder }
    }

    /// - Throws: ``StoreRefusal/identifierTaken``.
    private func write(_ account: Account, at now: Date) throws {
        do {
            try run(
                """
                UPDATE account SET
                    revision = revision + 1, updated_at = ?1, email = ?2, username = ?3, phone_number = ?4,
                    full_name = ?5, roles = ?6, is_active = ?7, provider = ?8, provider_issuer = ?9,
                    provider_subject = ?10, is_email_verified = ?11, is_phone_number_verified = ?12,
                    credential_version = ?13, attributes = ?14
                WHERE app = ?15 AND id = ?16
                """,
                [
                    now.milliseconds, account.email?.text, account.username?.verbatim, account.phoneNumber?.e164,
                    account.fullName?.text, try RoleList(account.assignments).text(), account.isActive,
                    account.provider, account.providerIssuer, account.providerSubject, account.isEmailVerified,
                    account.isPhoneNumberVerified, account.credentialVersion, AttributeText(account.attributes).text,
                    account.app.text, account.id.text,
                ])
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
            throw StoreRefusal.identifierTaken
        }
    }

    /// Changes the names that the account signs in by.
    ///
    /// - Throws: ``StoreRefusal/identifierTaken``.
    private func rename(from before: Account, to after: Account, by change: IdentifierChange?) throws {
        let (app, id) = (before.app.text, before.id.text)
        let owned = try rows(
            "SELECT name FROM account_name WHERE app = ?1 AND account_id = ?2", [app, id], read: { try $0.text() })
        let names = SignInNameChange(from: before, to: after, by: change, owned: owned)
        for name in names.foreign {
            let other = try row(
                "SELECT 1 FROM account_name WHERE app = ?1 AND name = ?2 AND account_id <> ?3", [app, name, id],
                read: { try $0.integer() })
            guard other == nil else { throw StoreRefusal.identifierTaken }
        }
        for name in names.dropped {
            try run(
                "DELETE FROM account_name WHERE app = ?1 AND name = ?2 AND account_id = ?3", [app, name, id])
        }
        if let email = names.email { try freeEmail(email, in: before.app) }
        let adding =
            "INSERT INTO account_name (app, name, account_id) VALUES (?1, ?2, ?3) ON CONFLICT (app, name) DO NOTHING"
        for name in names.taken {
            guard try run(adding, [app, name, id]) == 1 else { throw StoreRefusal.identifierTaken }
        }
        for name in names.takenIfFree { try run(adding, [app, name, id]) }
    }

    /// Returns the number of an account's passkeys where a change depends on it, otherwise 0.
    private func passkeyCount(of id: AccountID, in app: AppName, neededBy change: AccountChange) throws -> Int {
        guard change.identifiers?.unlinking != nil else { return 0 }
        return try Int(
            row(
                "SELECT count(*) FROM factor WHERE app = ?1 AND account_id = ?2 AND kind = 'passkey'",
                [app.text, id.text], read: { try $0.integer() }) ?? 0)
    }
}
