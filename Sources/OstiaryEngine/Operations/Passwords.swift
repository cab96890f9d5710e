import Foundation
import OstiaryCore

extension ChangePassword: EngineOperation {
    var handler: ChangingPassword { ChangingPassword(call: self) }
}

extension RequestPasswordReset: EngineOperation {
    var handler: RequestingPasswordReset { RequestingPasswordReset(call: self) }
}

extension ResetPassword: EngineOperation {
    var handler: ResettingPassword { ResettingPassword(call: self) }
}

/// Replaces the password of a signed-in person and ends the account's other sessions. Withdraws the session's earlier
/// refresh tokens, and the current one where the response carries its successor, so that stolen copies of them are
/// refused.
struct ChangingPassword: Step {
    let call: ChangePassword

    static let action = ChangePassword.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<PasswordChanged> {
        try engine.requireOwnPasswords()
        let bearer = try await engine.signedIn(call.accessToken)
        try await engine.confirm(call.currentPassword, of: bearer.account)
        let changed = try await engine.setPassword(
            call.newPassword, in: .newPassword, of: bearer.account, reason: .passwordChanged,
            ifCredentialsAre: bearer.account.credentialVersion, keeping: bearer.session.id)
        // The password was reset since the check, perhaps because an attacker knows the one given.
        guard changed else { throw Refused(.wrongCredentials, account: bearer.account.id) }
        return Outcome(
            PasswordChanged(tokens: try await successors(of: bearer, in: engine)), account: bearer.account.id,
            session: bearer.session.id)
    }

    /// Returns the tokens that the session continues with; `nil` where the response has no place for them.
    private func successors(of bearer: Bearer, in engine: AuthEngine) async throws -> Tokens? {
        guard engine.app.passwordChangeRenewsTokens else { return nil }
        let (id, now) = (bearer.session.id, engine.ports.surroundings.now())
        guard let state = try await engine.ports.store.session(id, in: engine.app.name),
            state.session.revocation == nil
        else { throw Refused(.sessionRevoked, account: bearer.account.id, session: id) }
        return try await engine.tokens(for: state, at: now)
    }
}

/// Sends a reset token to the address, if there is an account; costs the same if there is none.
struct RequestingPasswordReset: Step {
    let call: RequestPasswordReset

    static let action = RequestPasswordReset.kind
    var identifier: Identifier? { .email(call.email) }

    func perform(in engine: AuthEngine) async throws -> Outcome<Done> {
        try engine.requireOwnPasswords()
        let ports = engine.ports
        let policy = engine.app.resets
        let found = try await ports.store.account(identifiedBy: .email(call.email), in: engine.app.name)
        let account = found.flatMap { $0.isActive ? $0 : nil }
        let token = ports.surroundings.randomToken(bytes: 32)
        let pending = PendingReset(
            hash: engine.hash(resetToken: token), app: engine.app.name,
            recipient: engine.recipientKey(call.email.canonical), account: account?.id,
            expiresAt: ports.surroundings.now().addingTimeInterval(Double(policy.lifetimeSeconds)))
        let notice =
            account == nil
            ? Notice.nothing : .passwordReset(token: Secret(token), lifetimeSeconds: policy.lifetimeSeconds)
        let wait = try await engine.send(
            notice, to: .email(account?.email ?? call.email),
            once: engine.cooldown("reset", call.email.canonical, seconds: policy.silentSeconds),
            keeping: .resetToken(pending))
        return Outcome(Done(), account: wait == nil ? account?.id : nil)
    }
}

/// Sets a new password for a person who proves ownership of the account.
struct ResettingPassword: Step {
    let call: ResetPassword

    static let action = ResetPassword.kind

    var attempts: Attempts {
        switch call.proof {
        case .token: Attempts(kind: .reset, identifier: nil)
        case .code(_, let number): Attempts(kind: .codeCheck, identifier: .phoneNumber(number))
        }
    }

    func perform(in engine: AuthEngine) async throws -> Outcome<Done> {
        try engine.requireOwnPasswords()
        let (account, secret, refusal) = try await proven(in: engine)
        do {
            let changed = try await engine.setPassword(
                call.password, in: .password, of: account, reason: .passwordReset, spending: secret)
            guard changed else { throw refusal }
        } catch StoreRefusal.alreadySpent {
            throw refusal
        }
        return Outcome(Done(), account: account.id)
    }

    private func proven(in engine: AuthEngine) async throws -> (Account, SingleUseSecret, refusal: AuthError) {
        let (ports, app) = (engine.ports, engine.app.name)
        switch call.proof {
        case .token(let token):
            let account = try await engine.owner(ofResetToken: token)
            let hash = engine.hash(resetToken: token.reveal())
            return (account, .resetToken(hash: hash, app: app), .resetTokenRefused)
        case .code(let code, let number):
            let pending = try await engine.check(code, sentTo: number, codeSession: nil)
            guard let account = try await ports.store.account(identifiedBy: .phoneNumber(number), in: app),
                account.isActive
            else { throw AuthError.codeRefused }
            return (account, .code(id: pending.id, app: app), .codeRefused)
        }
    }
}

extension AuthEngine {
    /// Checks that this server verifies the app's passwords.
    ///
    /// - Throws: ``AuthError/notConfigured`` where an external authority does.
    func requireOwnPasswords() throws(AuthError) {
        if ports.identities.passwordAuthority != nil { throw .notConfigured }
    }

    /// Verifies the password of a signed-in person again. A wrong one counts like a failed sign-in.
    func confirm(_ password: Secret<String>, of account: Account) async throws {
        let counted = try await countGuess(
            at: guessSubject(of: account), as: "session", alsoAgainst: addressBucket(.signIn))
        try await judging(counted) {
            guard try await ports.passwords.check(password, against: account.passwordHash) != .differs else {
                throw Refused(.wrongCredentials, account: account.id)
            }
        }
    }

    /// Checks and sets a password, ends sessions, and informs the owner.
    ///
    /// - Returns: `false` if the account is deleted, or its credential version is no longer `version`.
    /// - Throws: ``StoreRefusal/alreadySpent``.
    func setPassword(
        _ password: Secret<String>, in field: Field, of account: Account, reason: Revocation.Reason,
        spending secret: SingleUseSecret? = nil, ifCredentialsAre version: Int? = nil, keeping session: SessionID? = nil
    ) async throws -> Bool {
        if let problem = app.passwords.problem(with: password, own: account.ownNames) {
            throw AuthError.invalid(field, problem)
        }
        let hash = try await ports.passwords.hash(password)
        var notice: QueuedMessage?
        if let email = account.email {
            notice = try await ports.courier.seal(.passwordChanged, to: .email(email), app: app.name)
        }
        let changed = try await ports.store.setPassword(
            PasswordChange(
                app: app.name, account: account.id, hash: hash, spending: secret, credentialVersion: version,
                reason: reason, keeping: session, renewsKept: app.passwordChangeRenewsTokens, notice: notice,
                at: ports.surroundings.now()))
        guard changed else { return false }
        ports.courier.wake()
        // A person who knew the previous password may be the one the owner locks out now; the caller has just proved to
        // be the owner.
        await forgetNetworks(of: account)
        await rememberNetwork(for: account)
        return true
    }

    func hash(resetToken: String) -> [UInt8] {
        ports.keys.digest([resetToken], for: .resetTokens, app: app.name)
    }
}
