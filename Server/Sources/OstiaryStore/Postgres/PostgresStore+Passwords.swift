package import OstiaryCore
package import OstiaryEngine
import OstiaryPostgres

extension PostgresStore {
    package func setPassword(_ change: PasswordChange) async throws -> Bool {
        try await setPassword(change, as: WriteOperation(system))
    }

    func setPassword(_ change: PasswordChange, as operation: WriteOperation) async throws -> Bool {
        try await performOnce(operation) { tx in try await tx.set(change, as: operation) }
    }

    package func costliestHash(in app: AppName) async throws -> String? {
        // The cost is two digits after the kind: `$2b$12$`.
        try await read(
            """
            SELECT password_hash FROM account
            WHERE app = $1 AND password_hash IS NOT NULL
            ORDER BY substr(password_hash, 5, 2) DESC LIMIT 1
            """, [app.text]
        ).value { try $0.optionalText() } ?? nil
    }

    package func upgradePasswordHash(of id: AccountID, in app: AppName, from old: String, to new: String) async throws {
        try await write(
            """
            UPDATE account SET password_hash = $1, revision = revision + 1
            WHERE app = $2 AND id = $3 AND password_hash = $4
            """, [new, app.text, id.text, old])
    }

    package func forgetPasswordReset(
        of account: AccountID, in app: AppName, credentialVersion version: Int, provingEmail: Bool
    ) async throws {
        try await write(
            """
            UPDATE account SET
                is_email_verified = is_email_verified OR ($3 AND password_reset_channel = 'email'),
                password_reset_channel = NULL, revision = revision + 1
            WHERE app = $1 AND id = $2 AND password_reset_channel IS NOT NULL AND credential_version = $4
            """, [app.text, account.text, provingEmail, version])
    }
}

extension PostgresTransaction {
    /// - Throws: ``NothingDone`` if there is no such account or its credentials changed; ``StoreRefusal/alreadySpent``.
    fileprivate func set(_ change: PasswordChange, as operation: WriteOperation) async throws {
        var isUnspent = true
        if case .code = change.spending, let code = change.spending { isUnspent = try await delete(code) }
        let changed = try await run(
            """
            UPDATE account SET
                password_hash = COALESCE($1, password_hash), credential_version = credential_version + 1, revision = revision + 1,
                password_reset_channel = $5, updated_at = $6
            WHERE app = $2 AND id = $3 AND credential_version = COALESCE($4, credential_version)
            """,
            [
                change.hash, change.app.text, change.account.text, change.credentialVersion,
                change.resetChannel?.rawValue, change.at.milliseconds,
            ])
        guard changed.affected == 1 else { throw NothingDone() }
        guard isUnspent else { throw StoreRefusal.alreadySpent }
        if let channel = change.resetChannel {
            // A statement of its own: after the account is locked, it sees a factor that was added meanwhile.
            let proof =
                switch channel {
                case .email: "is_email_verified = true WHERE TRUE"
                case .sms: "is_phone_number_verified = true WHERE is_phone_number_verified = false"
                }
            try await run(
                """
                UPDATE account SET \(proof) AND app = $1 AND id = $2
                    AND NOT EXISTS (SELECT 1 FROM factor WHERE app = $1 AND account_id = $2)
                """, [change.app.text, change.account.text])
        }
        // After the account is locked: a sign-in that came before is seen, and one that comes later is refused.
        let withdrawing = change.keeping.map { kept in
            PostgresStore.withdrawingRefreshTokens(
                of: kept, in: change.app, isRenewed: change.renewsKept, at: change.at, operation: operation)
        }
        let ending = PostgresStore.endingSessions(
            of: change.account, in: change.app, keeping: change.keeping,
            Revocation(reason: change.reason, at: change.at))
        let forgetting =
            change.forgetsDevices ? [PostgresStore.forgettingDevices(of: change.account, in: change.app)] : []
        try await run([ending] + (withdrawing.map { [$0] } ?? []) + forgetting)
        if case .resetToken = change.spending, let token = change.spending { try await spend(token) }
        let voiding = PostgresStatement(
            "DELETE FROM reset_token WHERE app = $1 AND account_id = $2", [change.app.text, change.account.text])
        // The session of a refresh token that is renewed here is not counted again by its rotation on the same day.
        let noting = change.keeping.flatMap { kept in
            change.renewsKept
                ? PostgresStore.notingActivity(
                    of: change.account, in: change.app, at: change.at, slot: PostgresStore.slot(of: kept.text)) : nil
        }
        try await commit(
            after: [voiding] + [change.notice?.insertion, noting].compactMap(\.self))
    }

    /// Redeems a secret by one conditional write, which deletes it.
    ///
    /// - Throws: ``StoreRefusal/alreadySpent``.
    func spend(_ secret: SingleUseSecret) async throws {
        guard try await delete(secret) else { throw StoreRefusal.alreadySpent }
    }

    private func delete(_ secret: SingleUseSecret) async throws -> Bool {
        switch secret {
        case .code(let id, let app):
            try await run("DELETE FROM code WHERE app = $1 AND id = $2", [app.text, id]).affected == 1
        case .resetToken(let hash, let app):
            try await run("DELETE FROM reset_token WHERE app = $1 AND hash = $2", [app.text, hash]).affected == 1
        }
    }
}
