import GRDB
import OstiaryCore
package import OstiaryEngine

extension SQLiteStore {
    package func account(of upsert: ProviderAccountUpsert) async throws -> Account {
        let uuid = system.uuid()
        return try await write { db in
            var id = try db.accountID(of: upsert) ?? db.claimImported(upsert)
            if let id {
                try db.updateLabels(of: id, upsert)
            } else {
                id = try db.insert(upsert, uuid: uuid)
            }
            guard let id, let account = try db.account(id, in: upsert.app) else {
                throw StoreError.damaged(detail: "a provider account that was found is missing")
            }
            if let hash = upsert.passwordHash {
                try db.keep(hash, of: account, signingInBy: upsert.signsInByEmail ? upsert.identity.email : nil)
            }
            return try db.account(id, in: upsert.app) ?? account
        }
    }
}

extension Database {
    fileprivate func accountID(of upsert: ProviderAccountUpsert) throws -> AccountID? {
        try row(
            "SELECT id FROM account WHERE app = ?1 AND provider_issuer = ?2 AND provider_subject = ?3",
            [upsert.app.text, upsert.identity.issuer, upsert.identity.subject],
            read: { try $0.value(AccountID.init) })
    }

    /// Claims an imported account without an issuer, whose source table did not name one.
    fileprivate func claimImported(_ upsert: ProviderAccountUpsert) throws -> AccountID? {
        guard upsert.claimsImported else { return nil }
        return try row(
            """
            UPDATE account SET provider_issuer = ?1, revision = revision + 1
            WHERE app = ?2 AND provider = ?3 AND provider_subject = ?4 AND provider_issuer IS NULL
            RETURNING id
            """, [upsert.identity.issuer, upsert.app.text, upsert.kind, upsert.identity.subject],
            read: { try $0.value(AccountID.init) })
    }

    /// Updates the account's labels to the provider's values; a label for which the provider sends none stays. Writes
    /// nothing where nothing changed: most sign-ins only read.
    fileprivate func updateLabels(of id: AccountID, _ upsert: ProviderAccountUpsert) throws {
        let email = upsert.identity.email
        let isVerified = email.map { _ in upsert.identity.isEmailVerified }
        let before = try account(id, in: upsert.app)
        let label = before.flatMap { upsert.label(after: $0) }
        if let email, let before, let old = before.email, old != email, before.passwordHash != nil {
            try run(
                "DELETE FROM account_name WHERE app = ?1 AND name = ?2 AND account_id = ?3",
                [upsert.app.text, old.canonical, id.text])
        }
        try run(
            """
            UPDATE account SET
                email = COALESCE(?1, email), is_email_verified = COALESCE(?2, is_email_verified), full_name = COALESCE(?3, full_name),
                username = COALESCE(?4, username), revision = revision + 1, updated_at = ?7
            WHERE app = ?5 AND id = ?6 AND (
                email IS NOT COALESCE(?1, email) OR is_email_verified IS NOT COALESCE(?2, is_email_verified)
                OR full_name IS NOT COALESCE(?3, full_name)
                OR username IS NOT COALESCE(?4, username))
            """,
            [
                email?.text, isVerified, upsert.identity.fullName?.text, label?.text, upsert.app.text, id.text,
                upsert.at.milliseconds,
            ])
    }

    fileprivate func insert(_ upsert: ProviderAccountUpsert, uuid: String) throws -> AccountID {
        var username = upsert.usernames.first
        if upsert.hasUniqueUsernames, username != nil {
            username = try upsert.usernames.first { try isFree($0, in: upsert.app) }
            guard username != nil else { throw StoreRefusal.identifierTaken }
        }
        let identity = upsert.identity
        let account = NewAccount(
            app: upsert.app, idKind: upsert.idKind, email: identity.email, username: username,
            fullName: identity.fullName ?? upsert.newName, provider: upsert.kind, providerSubject: identity.subject,
            isEmailVerified: identity.email != nil && identity.isEmailVerified, createdAt: upsert.at)
        let id = try newAccountID(upsert.idKind, in: upsert.app, uuid: uuid)
        if let integer = Int64(id.text) { try count(accountID: integer, in: upsert.app) }
        try insert(
            account, as: id, issuer: identity.issuer,
            names: upsert.hasUniqueUsernames ? Set([username?.canonical].compactMap(\.self)) : [])
        return id
    }

    private func isFree(_ username: Username, in app: AppName) throws -> Bool {
        try !hasName(username.canonical, in: app) && !hasName(username.exactKey, in: app)
    }

    /// Stores a password's hash, and lets the account sign in by email unless another account has that name.
    fileprivate func keep(_ hash: String, of account: Account, signingInBy email: EmailAddress?) throws {
        try run(
            "UPDATE account SET password_hash = ?1, revision = revision + 1 WHERE app = ?2 AND id = ?3",
            [hash, account.app.text, account.id.text])
        guard let email else { return }
        try run(
            "INSERT INTO account_name (app, name, account_id) VALUES (?1, ?2, ?3) ON CONFLICT (app, name) DO NOTHING",
            [account.app.text, email.canonical, account.id.text])
    }
}
