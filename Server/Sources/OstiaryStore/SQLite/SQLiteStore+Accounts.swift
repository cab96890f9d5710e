package import Foundation
import GRDB
package import OstiaryCore
package import OstiaryEngine

extension SQLiteStore {
    package func add(_ account: NewAccount, spending secret: SingleUseSecret?) async throws -> Account {
        let uuid = system.uuid()
        return try await write { db in
            if let secret { try db.spend(secret) }
            let id = try account.id ?? db.newAccountID(account.idKind, in: account.app, uuid: uuid)
            if let integer = Int64(id.text) { try db.count(accountID: integer, in: account.app) }
            try db.insert(account, as: id)
            guard let added = try db.account(id, in: account.app) else {
                throw StoreError.damaged(detail: "an added account is missing")
            }
            if let passkey = account.passkey { try db.insert(passkey.factor(of: added)) }
            if let invitation = account.invitation {
                try db.keep(invitation.resetToken(of: id, in: account.app))
                try db.enqueue(invitation.message)
            }
            return added
        }
    }

    package func account(_ id: AccountID, in app: AppName) async throws -> Account? {
        try await read { try $0.account(id, in: app) }
    }

    package func account(identifiedBy identifier: Identifier, in app: AppName) async throws -> Account? {
        switch identifier {
        case .phoneNumber(let number):
            try await read { db in
                try db.row(
                    "SELECT \(RowReader.accountColumns) FROM account a WHERE a.app = ?1 AND a.phone_number = ?2",
                    [app.text, number.e164], read: { try $0.account() })
            }
        case .username(let username):
            // Usernames and emails are one set of names, so that the second lookup is the same as the first.
            try await account(named: username.lookupKeys, in: app)
        case .email(let email):
            try await account(named: [email.canonical], in: app).flatMap { account in
                account.signsInByEmail && account.email == email ? account : nil
            }
        }
    }

    /// - Parameter keys: One or two, in sort order.
    private func account(named keys: [String], in app: AppName) async throws -> Account? {
        try await read { db in
            try db.row(
                """
                SELECT \(RowReader.accountColumns)
                FROM account_name n JOIN account a ON a.app = n.app AND a.id = n.account_id
                WHERE n.app = ?1 AND n.name IN (?2, ?3) ORDER BY n.name LIMIT 1
                """, [app.text, keys.first, keys.last], read: { try $0.account() })
        }
    }

    package func accounts(labelled name: String, in app: AppName, limit: Int) async throws -> [Account] {
        try await read { db in
            // lower() of SQLite changes ASCII letters alone, as canonical forms do.
            try db.rows(
                """
                SELECT \(RowReader.accountColumns) FROM account a
                WHERE a.number IN (
                    SELECT number FROM account WHERE app = ?1 AND username IS NOT NULL AND lower(username) = ?2
                    UNION SELECT number FROM account WHERE app = ?1 AND email IS NOT NULL AND lower(email) = ?2)
                ORDER BY a.number LIMIT ?3
                """, [app.text, name, limit], read: { try $0.account() })
        }
    }

    package func accounts(
        in app: AppName, after position: Int?, limit: Int
    ) async throws -> (page: [Account], position: Int?) {
        let limit = max(1, min(limit, 10_000))
        let found = try await read { db in
            try db.rows(
                """
                SELECT a.number, \(RowReader.accountColumns) FROM account a
                WHERE a.app = ?1 AND a.number > ?2 ORDER BY a.number LIMIT ?3
                """, [app.text, position ?? 0, limit + 1]
            ) { row in (position: Int(try row.integer()), account: try row.account()) }
        }
        let page = found.prefix(limit)
        return (page.map(\.account), found.count > limit ? page.last?.position : nil)
    }

    package func change(
        _ id: AccountID, in app: AppName, _ change: AccountChange, at now: Date
    ) async throws -> Account? {
        try await write { try $0.change(id, in: app, change, at: now) }
    }

    package func setPassword(_ change: PasswordChange) async throws -> Bool {
        try await write { db in
            let changed = try db.run(
                """
                UPDATE account SET
                    password_hash = COALESCE(?1, password_hash), credential_version = credential_version + 1, revision = revision + 1,
                    is_email_verified = is_email_verified
                        OR (?5 AND NOT EXISTS (SELECT 1 FROM factor WHERE app = ?2 AND account_id = ?3)),
                    is_phone_number_verified = CASE
                        WHEN is_phone_number_verified = FALSE AND ?6 = 'sms'
                            AND NOT EXISTS (SELECT 1 FROM factor WHERE app = ?2 AND account_id = ?3) THEN TRUE
                        ELSE is_phone_number_verified END,
                    password_reset_channel = ?6, updated_at = ?7
                WHERE app = ?2 AND id = ?3 AND credential_version = COALESCE(?4, credential_version)
                """,
                [
                    change.hash, change.app.text, change.account.text, change.credentialVersion, change.provesEmail,
                    change.resetChannel?.rawValue, change.at.milliseconds,
                ])
            guard changed == 1 else { return false }
            if let secret = change.spending { try db.spend(secret) }
            try db.run(
                "DELETE FROM reset_token WHERE app = ?1 AND account_id = ?2", [change.app.text, change.account.text])
            try db.endSessions(
                of: change.account, in: change.app, keeping: change.keeping,
                Revocation(reason: change.reason, at: change.at))
            if change.forgetsDevices { try db.forgetDevices(of: change.account, in: change.app) }
            if let kept = change.keeping {
                try db.withdrawRefreshTokens(
                    of: kept, in: change.app, isRenewed: change.renewsKept, at: change.at)
                if change.renewsKept { try db.noteActivity(of: change.account, in: change.app, at: change.at) }
            }
            if let notice = change.notice { try db.enqueue(notice) }
            return true
        }
    }

    package func forgetPasswordReset(
        of account: AccountID, in app: AppName, credentialVersion version: Int, provingEmail: Bool
    ) async throws {
        _ = try await write { db in
            try db.run(
                """
                UPDATE account SET
                    is_email_verified = is_email_verified OR (?3 AND password_reset_channel = 'email'),
                    password_reset_channel = NULL, revision = revision + 1
                WHERE app = ?1 AND id = ?2 AND password_reset_channel IS NOT NULL AND credential_version = ?4
                """, [app.text, account.text, provingEmail, version])
        }
    }

    package func costliestHash(in app: AppName) async throws -> String? {
        try await read { db in
            // The cost is two digits after the kind: `$2b$12$`.
            try db.row(
                """
                SELECT password_hash FROM account
                WHERE app = ?1 AND password_hash IS NOT NULL
                ORDER BY substr(password_hash, 5, 2) DESC LIMIT 1
                """, [app.text], read: { try $0.optionalText() }) ?? nil
        }
    }

    package func upgradePasswordHash(of id: AccountID, in app: AppName, from old: String, to new: String) async throws {
        _ = try await write { db in
            try db.run(
                """
                UPDATE account SET password_hash = ?1, revision = revision + 1
                WHERE app = ?2 AND id = ?3 AND password_hash = ?4
                """, [new, app.text, id.text, old])
        }
    }

    package func delete(
        _ id: AccountID, in app: AppName, credentialVersion version: Int?, keeping role: String?
    ) async throws -> Bool {
        try await write { db in
            if let role, try db.account(id, in: app)?.isHolder(of: role) == true {
                try db.requireHolder(of: role, besides: id, in: app)
            }
            return try db.run(
                """
                DELETE FROM account
                WHERE app = ?1 AND id = ?2 AND credential_version = COALESCE(?3, credential_version)
                """, [app.text, id.text, version]) == 1
        }
    }
}

extension Database {
    func account(_ id: AccountID, in app: AppName) throws -> Account? {
        try row(
            "SELECT \(RowReader.accountColumns) FROM account a WHERE a.app = ?1 AND a.id = ?2", [app.text, id.text],
            read: { try $0.account() })
    }
}
