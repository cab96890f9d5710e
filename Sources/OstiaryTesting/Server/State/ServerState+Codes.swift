import Foundation
import OstiaryCore

extension ServerState {
    // MARK: Codes

    mutating func requestCode(_ call: RequestCode, at now: Date) throws(AuthError) -> CodeRequested {
        let number = call.phoneNumber
        if let wait = cooldown("code", number.e164, seconds: rules.codeCooldownSeconds, at: now) {
            throw .tooManyAttempts(retryAfterSeconds: wait)
        }
        let id = random.token()
        let code: OneTimeCode
        do { code = try OneTimeCode(random.digits(6)) } catch { throw .unavailable(incident: "code") }
        // Asking again kills the code before.
        codes[number] = PendingCode(
            id: id, code: code, expiresAt: now + TimeInterval(rules.codeSeconds), triesLeft: rules.codeTries)
        messages.append(TestMessage(to: .phoneNumber(number), .code(code), at: now))
        return CodeRequested(codeSession: id)
    }

    mutating func verifyCode(_ call: VerifyCode, at now: Date) throws(AuthError) -> CodeVerified {
        _ = try check(call.code, sentTo: call.phoneNumber, codeSession: call.codeSession, at: now)
        return CodeVerified(verificationToken: Secret(random.token()))
    }

    /// The live code that was sent to `number`, if `code` is it. A wrong one costs a try.
    mutating func check(
        _ code: OneTimeCode, sentTo number: PhoneNumber, codeSession: String?, at now: Date
    ) throws(AuthError) -> PendingCode {
        guard let pending = codes[number], codeSession.map({ $0.utf8.elementsEqual(pending.id.utf8) }) ?? true,
            now < pending.expiresAt, pending.triesLeft > 0
        else { throw .codeRefused }
        guard code == pending.code else {
            codes[number]?.triesLeft -= 1
            throw .codeRefused
        }
        return pending
    }

    // MARK: Passwords

    mutating func changePassword(_ call: ChangePassword, at now: Date) throws(AuthError) -> PasswordChanged {
        let (account, session) = try bearer(call.accessToken, at: now)
        guard let password = account.password, Self.matches(call.currentPassword, password) else {
            throw .wrongCredentials
        }
        try setPassword(call.newPassword, in: .newPassword, of: account.user, keeping: session.id, at: now)
        return PasswordChanged(tokens: withdrawRefreshTokens(of: session.id, at: now))
    }

    mutating func requestPasswordReset(_ call: RequestPasswordReset, at now: Date) -> Done {
        let wait = cooldown("reset", call.email.canonical, seconds: rules.resetCooldownSeconds, at: now)
        guard wait == nil else { return Done() }
        // Asking again kills the token before.
        resets[call.email] = nil
        guard let account = account(.email(call.email)), account.isActive else { return Done() }
        let token = random.token()
        resets[call.email] = PendingReset(
            token: token, account: account.user.id, expiresAt: now + TimeInterval(rules.resetSeconds))
        messages.append(TestMessage(to: .email(call.email), .passwordReset(Secret(token)), at: now))
        return Done()
    }

    mutating func resetPassword(_ call: ResetPassword, at now: Date) throws(AuthError) -> Done {
        switch call.proof {
        case .token(let token):
            let pending = resets.values.first { $0.token.utf8.elementsEqual(token.reveal().utf8) }
            guard let pending, now < pending.expiresAt, let account = accounts[pending.account], account.isActive else {
                throw .resetTokenRefused
            }
            try setPassword(call.password, in: .password, of: account.user, at: now)
        case .code(let code, let number):
            _ = try check(code, sentTo: number, codeSession: nil, at: now)
            guard let account = account(.phoneNumber(number)), account.isActive else { throw .codeRefused }
            try setPassword(call.password, in: .password, of: account.user, at: now)
            codes[number] = nil
        }
        return Done()
    }

    /// Checks and sets a password, spends every reset token, ends sessions, and tells the owner.
    mutating func setPassword(
        _ password: Secret<String>, in field: Field, of user: User, keeping session: SessionID? = nil, at now: Date
    ) throws(AuthError) {
        let own = PasswordRule.ownNames(
            app: app, email: user.email, username: user.username, phoneNumber: user.phoneNumber, fullName: user.fullName
        )
        if let problem = PasswordRule().problem(with: password, own: own) { throw .invalid(field, problem) }
        accounts[user.id]?.password = password
        resets = resets.filter { $0.value.account != user.id }
        endSessions(of: user.id, keeping: session)
        if let email = user.email { messages.append(TestMessage(to: .email(email), .passwordChanged, at: now)) }
    }
}
