public import OstiaryCore

extension MemoryStore {
    /// Sets a password and makes the writes that belong to it; returns `false` if the account's credentials are not
    /// those expected.
    ///
    /// - Throws: ``StoreRefusal/alreadySpent``; ``DuplicateKey`` if the message's id is in use. Nothing has changed
    ///   then.
    public func setPassword(_ change: PasswordChange) throws -> Bool {
        try transaction { tables throws in
            let app = change.app
            guard let row = tables.apps[app]?.rows[change.account], case var account = row.account,
                change.credentialVersion.map({ $0 == account.credentialVersion }) ?? true
            else { return false }
            if let secret = change.spending { try tables.checkUnspent(secret) }
            if let notice = change.notice { try tables.checkNew(notice) }
            if let hash = change.hash { account.passwordHash = hash }
            account.credentialVersion += 1
            account.passwordResetChannel = change.resetChannel
            if change.provesEmail, row.factors.isEmpty { account.isEmailVerified = true }
            if change.resetChannel == .sms, row.factors.isEmpty, account.isPhoneNumberVerified == false {
                account.isPhoneNumberVerified = true
            }
            tables.apps[app]?.rows[change.account]?.account = account
            tables.apps[app]?.rows[change.account]?.updatedAt = change.at.asStored
            if let secret = change.spending { tables.spend(secret) }
            tables.resetTokens = tables.resetTokens.filter { $0.key.app != app || $0.value.account != account.id }
            tables.endSessions(
                of: account.id, in: app, keeping: change.keeping, Revocation(reason: change.reason, at: change.at))
            if change.forgetsDevices { tables.apps[app]?.rows[change.account]?.devices = [] }
            if let kept = change.keeping {
                tables.withdrawRefreshTokens(of: kept, in: app, isRenewed: change.renewsKept, at: change.at)
            }
            if let notice = change.notice { tables.enqueue(notice) }
            return true
        }
    }

    /// Deletes the channel of the last reset from an account, if its credential version is `version`.
    ///
    /// - Parameter provingEmail: `true` to note that a reset by mail proves the address.
    public func forgetPasswordReset(
        of account: AccountID, in app: AppName, credentialVersion version: Int, provingEmail: Bool
    ) {
        transaction { tables in
            guard var changed = tables.apps[app]?.rows[account]?.account, changed.credentialVersion == version
            else { return }
            if provingEmail, changed.passwordResetChannel == .email { changed.isEmailVerified = true }
            changed.passwordResetChannel = nil
            tables.apps[app]?.rows[account]?.account = changed
        }
    }
}

extension MemoryTables {
    /// - Throws: ``StoreRefusal/alreadySpent`` if the secret is not kept.
    func checkUnspent(_ secret: SingleUseSecret) throws(StoreRefusal) {
        let isUnspent =
            switch secret {
            case .code(let id, let app): codeKey(id, in: app) != nil
            case .resetToken(let hash, let app): resetTokenKey(hash, in: app) != nil
            }
        guard isUnspent else { throw .alreadySpent }
    }

    /// Redeems a secret that was checked in the same transaction, by deleting it.
    mutating func spend(_ secret: SingleUseSecret) {
        switch secret {
        case .code(let id, let app): if let key = codeKey(id, in: app) { codes[key] = nil }
        case .resetToken(let hash, let app): if let key = resetTokenKey(hash, in: app) { resetTokens[key] = nil }
        }
    }
}
