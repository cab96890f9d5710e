import Foundation
import GRDB
import OstiaryCore
import OstiaryEngine

extension Database {
    /// Adds the account with the names that it signs in with, and with its factors.
    ///
    /// - Throws: ``StoreRefusal/identifierTaken``.
    func insert(_ account: NewAccount, as id: AccountID) throws {
        let names = Set([account.usernameKey, account.emailKey].compactMap(\.self))
        if let email = account.emailKey, email != account.usernameKey { try freeEmail(email, in: account.app) }
        try insert(account, as: id, issuer: nil, names: names)
        for factor in account.factors { try insert(factor) }
        try insert(recoveryCodes: account.recoveryCodes, of: id, in: account.app)
    }

    /// Releases an email that is the name of a provider's account without a password, which cannot sign in with it.
    ///
    /// Emails are unique only among local accounts. A provider's account must not keep an address from its owner.
    func freeEmail(_ email: String, in app: AppName) throws {
        try run(
            """
            DELETE FROM account_name WHERE app = ?1 AND name = ?2 AND EXISTS (
                SELECT 1 FROM account a WHERE a.app = account_name.app AND a.id = account_name.account_id
                AND a.provider <> 'local' AND a.password_hash IS NULL)
            """, [app.text, email])
    }

    /// - Throws: ``StoreRefusal/identifierTaken``.
    func insert(_ account: NewAccount, as id: AccountID, issuer: String?, names: Set<String>) throws {
        if !names.isEmpty {
            for key in account.spelledKeys where try hasName(key, in: account.app) {
                throw StoreRefusal.identifierTaken
            }
        }
        do {
            try run(
                """
                INSERT INTO account (
                    app, id, email, username, phone_number, full_name, password_hash, roles, is_active, provider,
                    provider_issuer, provider_subject, is_email_verified, credential_version, created_at,
                    is_phone_number_verified)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, 0, ?14, ?15)
                """,
                [
                    account.app.text, id.text, account.email?.text, account.keptUsername, account.phoneNumber?.e164,
                    account.fullName?.text, account.passwordHash, try RoleList(account.assignments).text(),
                    account.isActive, account.provider, issuer, account.providerSubject, account.isEmailVerified,
                    account.createdAt.milliseconds, account.isPhoneNumberVerified,
                ])
            for name in names {
                try run(
                    "INSERT INTO account_name (app, name, account_id) VALUES (?1, ?2, ?3)",
                    [account.app.text, name, id.text])
            }
        } catch let error as DatabaseError {
            switch error.extendedResultCode {
            case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY: throw StoreRefusal.identifierTaken
            default: throw error
            }
        }
    }

    func hasName(_ name: String, in app: AppName) throws -> Bool {
        try row(
            "SELECT 1 FROM account_name WHERE app = ?1 AND name = ?2", [app.text, name], read: { try $0.integer() })
            != nil
    }

    func newAccountID(_ kind: AppRules.AccountIDKind, in app: AppName, uuid: String) throws -> AccountID {
        switch kind {
        case .uuid: return try AccountID(uuid)
        case .integer:
            let last = try row(
                "SELECT last_id FROM account_counter WHERE app = ?1", [app.text], read: { try $0.integer() })
            return try AccountID(String((last ?? 0) + 1))
        }
    }

    /// Keeps the app's counter at or above an id in use, whether assigned or supplied.
    func count(accountID: Int64, in app: AppName) throws {
        // An id outside the counter's range cannot collide, and would leave it no room.
        guard (1..<Int64(1) << 53).contains(accountID) else { return }
        try run(
            """
            INSERT INTO account_counter (app, last_id) VALUES (?1, ?2)
            ON CONFLICT (app) DO UPDATE SET last_id = excluded.last_id WHERE excluded.last_id > account_counter.last_id
            """, [app.text, accountID])
    }

    /// Redeems a secret by one conditional write, which deletes it.
    ///
    /// - Throws: ``StoreRefusal/alreadySpent``.
    func spend(_ secret: SingleUseSecret) throws {
        let spent =
            switch secret {
            case .code(let id, let app):
                try run("DELETE FROM code WHERE app = ?1 AND id = ?2", [app.text, id])
            case .resetToken(let hash, let app):
                try run("DELETE FROM reset_token WHERE app = ?1 AND hash = ?2", [app.text, Data(hash)])
            }
        guard spent == 1 else { throw StoreRefusal.alreadySpent }
    }
}
