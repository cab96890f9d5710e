public import OstiaryCore

extension Administration {
    /// Sends the account's owner the mail by which a forgotten password is reset. Counts against the limits of messages.
    ///
    /// - Throws: ``AdministrationProblem`` if the app has no such account, it is disabled, no email signs it in, or a mail was
    ///   sent a moment ago.
    public func sendPasswordReset(to id: AccountID) async throws {
        let (account, email) = try await mailable(id)
        guard account.signsInByEmail else {
            throw AdministrationProblem.conflict("no_email", "the account \(id) does not sign in by its email")
        }
        try await audit("users.password-reset", id)
        try await requireSent(engine.sendPasswordReset(to: account, at: email))
    }

    /// Sends the account's owner a mail with a link that sets the first password.
    ///
    /// - Throws: ``AdministrationProblem`` if the app has no such account, it is disabled, it has no email, it has a credential
    ///   or an identity provider, or a mail was sent a moment ago.
    public func invite(_ id: AccountID) async throws {
        let (account, email) = try await mailable(id)
        guard try await !hasCredentials(account) else {
            throw AdministrationProblem.conflict(
                "has_credentials", "the account \(id) can sign in already; send a password reset instead")
        }
        try await audit("users.invite", id)
        try await requireSent(engine.sendInvitation(to: account, at: email))
    }

    /// Returns `true` if the account has a password, a second factor, a passkey or an identity provider.
    func hasCredentials(_ account: Account) async throws -> Bool {
        guard account.provider == "local", account.passwordHash == nil else { return true }
        return try await !ports.store.factors(of: account.id, in: app.name).factors.isEmpty
    }

    private func mailable(_ id: AccountID) async throws -> (Account, EmailAddress) {
        let account = try await account(id)
        guard engine.verifiesPasswords else {
            throw AdministrationProblem.conflict(
                "not_configured", "the passwords of \(app.name) are verified elsewhere")
        }
        guard account.isActive else {
            throw AdministrationProblem.conflict("account_disabled", "the account \(id) is disabled")
        }
        guard let email = account.email else {
            throw AdministrationProblem.conflict("no_email", "the account \(id) has no email")
        }
        return (account, email)
    }

    /// Counts a mail that a change sends to an address, so that a program with a service key cannot send as many as it likes. A command
    /// on the server's own machine is not limited.
    ///
    /// The change is refused, and not only its mail: an owner must not miss the notice.
    ///
    /// - Throws: ``AdministrationProblem``; nothing was counted then.
    func countMail(to email: EmailAddress) async throws {
        if case .commandLine = actor { return }
        let limiter = engine.messageLimiter
        let capped = limiter.buckets(of: .email(email), hasReserve: false)
        guard let seconds = try await ports.store.count(capped.map(\.bucket), at: now) else { return }
        for bucket in capped.map(\.bucket) where try await ports.store.wait(for: bucket, at: now) != nil {
            let refusal = AttemptRefusal(seconds: seconds, key: bucket.key)
            await limiter.report(refusal, by: capped, of: .email(email), requestedBy: caller)
        }
        throw AdministrationProblem.busy(retryAfterSeconds: seconds)
    }

    private func requireSent(_ wait: Int?) throws {
        if let wait { throw AdministrationProblem.busy(retryAfterSeconds: wait) }
    }
}
