import OstiaryCore
package import OstiaryEngine
import OstiaryPostgres

extension PostgresStore {
    package func account(of upsert: ProviderAccountUpsert) async throws -> Account {
        // Most sign-ins change nothing.
        let known = try await read(
            """
            SELECT \(PostgresReader.accountColumns) FROM account a
            WHERE a.app = $1 AND a.provider_issuer = $2 AND a.provider_subject = $3
            """, [upsert.app.text, upsert.identity.issuer, upsert.identity.subject]
        ).value { try $0.account() }
        if let known, !upsert.changes(known) { return known }

        let uuid = system.uuid()
        // Optimistic concurrency: after a conflict the next try finds the account, or the name, that was committed
        // first.
        for _ in 0..<(upsert.usernames.count + 3) {
            do {
                return try await transaction { try await $0.account(of: upsert, uuid: uuid) }
            } catch is ConcurrentConflict {
                continue
            } catch StoreError.postgres(.refused(.uniqueViolation, _)) {
                // An imported account was claimed while another transaction created one for the same subject.
                continue
            }
        }
        throw StoreRefusal.identifierTaken
    }
}

/// The error that rolls back a transaction after a conflict with a concurrent one.
private struct ConcurrentConflict: Error {}

extension PostgresTransaction {
    fileprivate func account(of upsert: ProviderAccountUpsert, uuid: String) async throws -> Account {
        if let account = try await lockedAccount(of: upsert) { return try await update(account, by: upsert) }
        if let account = try await claimImported(upsert) { return try await update(account, by: upsert) }
        return try await insert(upsert, uuid: uuid)
    }

    private func lockedAccount(of upsert: ProviderAccountUpsert) async throws -> Account? {
        try await run(
            """
            SELECT \(PostgresReader.accountColumns) FROM account a
            WHERE a.app = $1 AND a.provider_issuer = $2 AND a.provider_subject = $3
            FOR NO KEY UPDATE
            """, [upsert.app.text, upsert.identity.issuer, upsert.identity.subject]
        ).value { try $0.account() }
    }

    /// Claims an imported account without an issuer, whose source table did not name one.
    private func claimImported(_ upsert: ProviderAccountUpsert) async throws -> Account? {
        guard upsert.claimsImported else { return nil }
        return try await run(
            """
            UPDATE account a SET provider_issuer = $1, revision = revision + 1
            WHERE app = $2 AND provider = $3 AND provider_subject = $4 AND provider_issuer IS NULL
            RETURNING \(PostgresReader.accountColumns)
            """, [upsert.identity.issuer, upsert.app.text, upsert.kind, upsert.identity.subject]
        ).value { try $0.account() }
    }

    /// Updates the account's labels to the provider's values; a label for which the provider sends none stays.
    private func update(_ account: Account, by upsert: ProviderAccountUpsert) async throws -> Account {
        let identity = upsert.identity
        var names = upsert.namesByPassword
        if let email = identity.email, let old = account.email, old != email, account.passwordHash != nil {
            names.append(.drop(old.canonical))
        }
        _ = try await change(names, of: account.id, in: account.app)
        let updated = try await commit(after: [
            PostgresStatement(
                """
                UPDATE account a SET
                    email = COALESCE($1, email), is_email_verified = COALESCE($2, is_email_verified),
                    full_name = COALESCE($3, full_name), username = COALESCE($4, username),
                    password_hash = COALESCE($5, password_hash), revision = revision + 1, updated_at = $8
                WHERE app = $6 AND id = $7
                RETURNING \(PostgresReader.accountColumns)
                """,
                [
                    identity.email?.text, identity.email.map { _ in identity.isEmailVerified },
                    identity.fullName?.text, upsert.label(after: account)?.text, upsert.passwordHash,
                    account.app.text, account.id.text, upsert.at.milliseconds,
                ])
        ])
        return try updated.first?.value { try $0.account() } ?? account
    }

    private func insert(_ upsert: ProviderAccountUpsert, uuid: String) async throws -> Account {
        let username = try await username(of: upsert)
        let identity = upsert.identity
        let account = NewAccount(
            app: upsert.app, idKind: upsert.idKind, email: identity.email, username: username,
            fullName: identity.fullName ?? upsert.newName, passwordHash: upsert.passwordHash,
            provider: upsert.kind, providerSubject: identity.subject,
            isEmailVerified: identity.email != nil && identity.isEmailVerified, createdAt: upsert.at)
        let id = try await newAccountID(upsert.idKind, in: upsert.app, uuid: uuid)
        let required = upsert.hasUniqueUsernames ? [username.map { NameChange.take($0.canonical) }] : []
        guard try await insertRow(account, as: id, issuer: identity.issuer),
            try await change(
                required.compactMap(\.self) + upsert.namesByPassword, of: id, in: upsert.app,
                unlessTaken: upsert.hasUniqueUsernames ? account.spelledKeys : [])
        else { throw ConcurrentConflict() }
        guard let added = try await self.account(id, in: upsert.app) else {
            throw StoreError.damaged(detail: "an added provider account is missing")
        }
        return added
    }

    /// Returns the first username that no account has, where usernames are unique.
    private func username(of upsert: ProviderAccountUpsert) async throws -> Username? {
        guard upsert.hasUniqueUsernames, !upsert.usernames.isEmpty else { return upsert.usernames.first }
        let taken = try await run(
            "SELECT name FROM account_name WHERE app = $1 AND name = ANY($2)",
            [upsert.app.text, upsert.usernames.flatMap(\.lookupKeys)]
        ).values { try $0.text() }
        guard let free = upsert.usernames.first(where: { $0.lookupKeys.allSatisfy { !taken.contains($0) } }) else {
            throw StoreRefusal.identifierTaken
        }
        return free
    }
}

extension ProviderAccountUpsert {
    /// The names by which the account can sign in with the password it brought along.
    fileprivate var namesByPassword: [NameChange] {
        guard passwordHash != nil, signsInByEmail, let email = identity.email else { return [] }
        return [.takeIfFree(email.canonical)]
    }

    /// Returns `true` if a known account differs from the provider's data.
    fileprivate func changes(_ account: Account) -> Bool {
        func differs(_ said: String?, _ known: String?) -> Bool {
            said.map { !$0.utf8.elementsEqual((known ?? "").utf8) } ?? false
        }
        return passwordHash != nil
            || differs(identity.email?.text, account.email?.text)
            || (identity.email != nil && identity.isEmailVerified != account.isEmailVerified)
            || differs(identity.fullName?.text, account.fullName?.text)
            || differs(label(after: account)?.text, account.username?.text)
    }
}
