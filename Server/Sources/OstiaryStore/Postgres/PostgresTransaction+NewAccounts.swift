import OstiaryCore
import OstiaryEngine
import OstiaryPostgres

extension PostgresTransaction {
    /// Adds the account with its factors and the names that it signs in with.
    ///
    /// - Throws: ``StoreRefusal/identifierTaken``.
    func insert(_ account: NewAccount, as id: AccountID) async throws {
        let (username, email) = (account.usernameKey, account.emailKey)
        var names = [username.map(NameChange.take), email.map(NameChange.takeAsEmail)].compactMap(\.self)
        // A username that equals the email takes no name from another account: it must not be another account's label
        // either.
        if let username, let email, username.utf8.elementsEqual(email.utf8) { names.removeLast() }
        guard try await insertRow(account, as: id, issuer: nil) else { throw StoreRefusal.identifierTaken }
        for factor in account.factors {
            guard try await add(factor) else { throw StoreRefusal.identifierTaken }
        }
        if !account.recoveryCodes.isEmpty {
            try await run(PostgresStore.adding(recoveryCodes: account.recoveryCodes, of: id, in: account.app))
        }
        guard try await change(names, of: id, in: account.app, unlessTaken: account.spelledKeys) else {
            throw StoreRefusal.identifierTaken
        }
    }

    /// Adds only the account's row.
    ///
    /// Does not rely on a unique index's error: the database server would log the taken name.
    ///
    /// - Returns: `false` if another account has the id, the phone number or the subject.
    func insertRow(_ account: NewAccount, as id: AccountID, issuer: String?) async throws -> Bool {
        try await run(
            """
            INSERT INTO account (
                app, id, email, username, phone_number, full_name, password_hash, roles, is_active, provider,
                provider_issuer, provider_subject, is_email_verified, credential_version, created_at,
                is_phone_number_verified)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 0, $14, $15)
            ON CONFLICT DO NOTHING
            """,
            [
                account.app.text, id.text, account.email?.text, account.keptUsername, account.phoneNumber?.e164,
                account.fullName?.text, account.passwordHash, try RoleList(account.assignments).text(),
                account.isActive, account.provider, issuer, account.providerSubject, account.isEmailVerified,
                account.createdAt.milliseconds, account.isPhoneNumberVerified,
            ]
        ).affected == 1
    }

    /// Returns a new account id. A transaction that draws an integer locks the app's counter until it ends, so that no
    /// id is assigned twice.
    func newAccountID(_ kind: AppRules.AccountIDKind, in app: AppName, uuid: String) async throws -> AccountID {
        switch kind {
        case .uuid: return try AccountID(uuid)
        case .integer:
            let next = try await run(
                """
                INSERT INTO account_counter (app, last_id) VALUES ($1, 1)
                ON CONFLICT (app) DO UPDATE SET last_id = account_counter.last_id + 1
                RETURNING last_id
                """, [app.text])
            guard let next = try next.value({ try $0.integer() }) else {
                throw StoreError.damaged(detail: "the account counter returned no number")
            }
            return try AccountID(String(next))
        }
    }

    /// Keeps the app's counter at or above an id that the caller supplied.
    func count(accountID: AccountID, in app: AppName) async throws {
        // An id outside the counter's range cannot collide, and would leave it no room.
        guard let integer = Int64(accountID.text), (1..<Int64(1) << 53).contains(integer) else { return }
        try await run(
            """
            INSERT INTO account_counter (app, last_id) VALUES ($1, $2)
            ON CONFLICT (app) DO UPDATE SET last_id = excluded.last_id WHERE excluded.last_id > account_counter.last_id
            """, [app.text, integer])
    }
}
