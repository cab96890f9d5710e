import Foundation
import OstiaryCore
import OstiaryWebAuthn

/// Asks for second factors and judges the answers: see decision 48.
extension AuthEngine {
    /// Returns the context of an authentication by one method, now.
    func context(of method: AuthenticationMethod) -> AuthenticationContext {
        AuthenticationContext([AuthenticationContext.Event(method: method, at: ports.system.now())])
    }

    /// Checks that an authentication needs no further factor.
    ///
    /// - Returns: The authentication; with that of a remembered device in the place of the factor.
    /// - Throws: ``AuthError/challengeRequired(_:)`` if the account has a factor and has not shown one, or must add one.
    func requireSecondFactor(of authentication: Authentication) async throws -> Authentication {
        let (policy, account) = (app.secondFactor, authentication.account)
        guard !authentication.isChallengeAnswered, authentication.context.level < .aal2 else { return authentication }
        let isRisky = isChallengedForRisk(authentication)
        guard policy.requirement != .off else {
            if isRisky { try await requireEmailCode(of: authentication) }
            return authentication
        }
        let isRequired = policy.requiresFactor(of: account)
        let isFederated = authentication.context.events.allSatisfy { $0.method == .federated }
        guard policy.asksAfterFederatedSignIn || !isFederated || isRequired || isRisky else { return authentication }
        let enrolled = try await ports.store.factors(of: account.id, in: app.name)
        if isRisky, enrolled.factors.isEmpty { try await requireEmailCode(of: authentication) }
        guard isRequired || !enrolled.factors.isEmpty else { return authentication }
        if !enrolled.factors.isEmpty, !isRisky,
            let device = try await rememberedDevice(of: account, enrolled)
        {
            var authentication = authentication
            authentication.context.add(
                AuthenticationContext.Event(method: .rememberedDevice, at: ports.system.now()))
            authentication.rememberedDevice = device
            authentication.factor = .rememberedDevice
            return authentication
        }
        guard !enrolled.factors.isEmpty else {
            let pending = await pendingSignIn(
                authentication, isAskedForRisk: false, seconds: SecondFactorPolicy.enrolmentSeconds)
            let enrolment = try challenge(
                Challenge.enrollFactor, .enrolment(pending), methods: enrollableMethods,
                seconds: SecondFactorPolicy.enrolmentSeconds)
            throw Refused(.challengeRequired(enrolment), account: account.id)
        }
        let pending = await pendingSignIn(authentication, isAskedForRisk: isRisky)
        var challenge = try challenge(
            Challenge.secondFactor, .secondFactor(pending), methods: methods(of: account, enrolled))
        if policy.remembersDevices(of: account) { challenge.rememberDeviceDays = policy.rememberDeviceDays }
        throw Refused(.challengeRequired(challenge), account: account.id)
    }

    /// The methods of factors that an account can add, in the order of the policy.
    private var enrollableMethods: [ChallengeMethod] {
        app.secondFactor.methods.filter { $0 == .totp || ($0 == .passkey && app.passkeys != nil) }
    }

    /// Returns a challenge with a new token.
    func challenge(
        _ name: String, _ step: ChallengeToken.Step, methods: [ChallengeMethod],
        seconds: Int = SecondFactorPolicy.challengeSeconds
    ) throws -> Challenge {
        let token = ChallengeToken(
            step, id: ports.system.randomBytes(16), lifetimeSeconds: seconds, at: ports.system.now())
        return Challenge(
            name: name, token: try token.sealed(in: self), methods: methods, expiresInSeconds: seconds)
    }

    /// Returns the methods by which an account can answer a challenge, in the order of the policy.
    ///
    /// A code is not offered while the password in force was set through the same channel: both would prove the same.
    func methods(of account: Account, _ enrolled: EnrolledFactors) -> [ChallengeMethod] {
        app.secondFactor.methods.filter { method in
            switch method {
            case .passkey: app.passkeys != nil && !passkeys(of: enrolled).isEmpty
            case .totp: enrolled.factors.contains { $0.kind == .totp }
            case .recoveryCode: enrolled.recoveryCodesLeft > 0
            case .smsCode, .emailCode:
                !enrolled.factors.isEmpty && codeRecipient(of: account, by: method) != nil
                    && account.passwordResetChannel.map { $0.method != method } ?? true
            default: false
            }
        }
    }

    /// Returns the methods by which an account can answer a challenge: a code by email alone where the risk of a sign-in is the
    /// reason for it and the account has no factor, and those that were offered for a step-up.
    func methods(answering token: ChallengeToken, of account: Account, _ enrolled: EnrolledFactors) -> [ChallengeMethod]
    {
        switch token.step {
        case .secondFactor(let pending) where pending.risk?.asksCode == true: [.emailCode]
        case .stepUp(let pending): stepUpMethods(of: account, enrolled).filter(pending.offers)
        default: methods(of: account, enrolled)
        }
    }

    /// Judges the answer to a challenge, counted against the challenge and against the account, and redeems the
    /// challenge. A wrong answer leaves the challenge as it is. A passkey is not counted against the account: it cannot be
    /// guessed, and stays usable while other answers are refused.
    ///
    /// - Returns: The event of the method that succeeded.
    /// - Throws: ``AuthError/codeRefused``; ``AuthError/challengeRefused`` for a challenge that was answered before, or
    ///   wrongly too often; ``AuthError/tooManyAttempts(retryAfterSeconds:)``, whether or not the answer is right.
    func judge(
        _ given: ChallengeAnswer, to token: ChallengeToken, of account: Account
    ) async throws -> AuthenticationContext.Event {
        // An answer to an answered challenge must not use up a recovery code, or the challenge of a passkey.
        guard try await !isAnswered(token) else { throw Refused(.challengeRefused, account: account.id) }
        let tries = AttemptBucket(
            key: key(.codeCheck, "challenge", token.id.base64URL),
            // None is refilled while the challenge lives.
            limit: RateLimit(
                attempts: SecondFactorPolicy.triesPerChallenge,
                perSeconds: SecondFactorPolicy.triesPerChallenge * 2 * SecondFactorPolicy.challengeSeconds))
        guard try await ports.store.count([tries], at: ports.system.now()) == nil else {
            throw Refused(.challengeRefused, account: account.id)
        }
        switch given {
        case .passkey(let response):
            let event: AuthenticationContext.Event
            do { event = try await verifyPasskey(response, to: token, of: account.id).event } catch is WebAuthnProblem {
                throw Refused(.codeRefused, account: account.id)
            }
            try await redeem(token, of: account)
            try await noteFactor(of: account, answering: token)
            return event
        case .text(let chosen, let answer):
            let failures = AttemptBucket(
                key: key(.codeCheck, "second-factor", account.id.text), waits: SecondFactorPolicy.backoff)
            try await count([failures])
            let method: AuthenticationMethod?
            switch chosen {
            case .totp: method = try await isTOTP(answer, to: token, of: account) ? .totp : nil
            case .recoveryCode:
                method = try await redeemRecoveryCode(answer, and: token, of: account) ? .recoveryCode : nil
            case .smsCode, .emailCode:
                method =
                    try await isSentCode(answer, by: chosen, for: token) ? AuthenticationMethod(answering: chosen) : nil
            default: method = nil
            }
            guard let method else { throw Refused(.codeRefused, account: account.id) }
            // A recovery code was redeemed together with the challenge.
            if method != .recoveryCode { try await redeem(token, of: account) }
            if method != .smsCode, method != .emailCode { try await noteFactor(of: account, answering: token) }
            // A code by email is no factor: with the mailbox alone, guesses at the others would never end.
            try await forgive(
                method == .emailCode ? CountReversal(refunded: [failures]) : CountReversal(forgotten: [failures.key]))
            return AuthenticationContext.Event(method: method, at: ports.system.now())
        }
    }

    /// Records that the owner has shown a factor since a reset of the password, so that codes by the channel of the reset
    /// are offered again. After a reset by mail, the password and the factor together prove the address: see decision 64.
    private func noteFactor(of account: Account, answering token: ChallengeToken) async throws {
        guard account.passwordResetChannel != nil else { return }
        try await ports.store.forgetPasswordReset(
            of: account.id, in: app.name, credentialVersion: account.credentialVersion,
            provingEmail: token.followsPassword)
    }

    func isAnswered(_ token: ChallengeToken) async throws -> Bool {
        try await ports.store.singleUseRecord(.answeredChallenge, hash(of: token), in: app.name, at: ports.system.now())
            != nil
    }

    /// - Throws: ``AuthError/challengeRefused`` if the challenge was answered before.
    private func redeem(_ token: ChallengeToken, of account: Account) async throws {
        do { try await ports.store.add(answerRecord(of: token)) } catch StoreRefusal.alreadySpent {
            throw Refused(.challengeRefused, account: account.id)
        }
    }

    /// Returns the record that marks a challenge as answered.
    private func answerRecord(of token: ChallengeToken) -> SingleUseRecord {
        SingleUseRecord(
            app: app.name, kind: .answeredChallenge, hash: hash(of: token), payload: [], expiresAt: token.expiresAt)
    }

    private func hash(of token: ChallengeToken) -> [UInt8] {
        ports.keys.digest([token.id.base64URL], for: .challenges, app: app.name)
    }

    /// Returns `true` if a code is one of the account's authenticators' and was not used before; records its use.
    private func isTOTP(
        _ answer: Secret<String>, to token: ChallengeToken, of account: Account
    ) async throws -> Bool {
        guard let code = try? OneTimeCode(answer.reveal()) else { return false }
        let now = ports.system.now()
        for factor in try await ports.store.factors(of: account.id, in: app.name).factors where factor.kind == .totp {
            let totp = try openTOTP(factor.material, factor.id, of: account)
            guard let step = totp.acceptedStep(of: code, at: now, after: factor.counter) else { continue }
            let isFirstUse = try await ports.store.recordUse(
                of: factor.id, of: account.id, in: app.name, counter: step, at: now)
            guard isFirstUse else { continue }
            try await noteSignIn(with: factor, answering: token)
            return true
        }
        return false
    }

    /// Redeems a recovery code and the challenge that it answers, in one transaction: of two answers to one challenge, the one
    /// that is refused uses up no code. Informs the owner.
    ///
    /// - Returns: `false` if the code is none of the account's unused ones.
    /// - Throws: ``AuthError/challengeRefused`` if the challenge was answered before.
    private func redeemRecoveryCode(
        _ answer: Secret<String>, and token: ChallengeToken, of account: Account
    ) async throws -> Bool {
        guard let code = try? RecoveryCode(answer.reveal()) else { return false }
        let hash = code.hash(for: account.id, in: app.name, keys: ports.keys)
        let notice = try await notice(of: .recoveryCodeUsed, to: account)
        do {
            let isRedeemed = try await ports.store.redeemRecoveryCode(
                hash, of: account.id, in: app.name, keeping: answerRecord(of: token), notice: notice)
            guard isRedeemed else { return false }
        } catch StoreRefusal.alreadySpent {
            throw Refused(.challengeRefused, account: account.id)
        }
        ports.notificationSealer.wake()
        try await noteSignIn(withRecoveryCode: hash, answering: token)
        return true
    }

    func sealTOTP(_ secret: [UInt8], _ id: FactorID, of account: AccountID) throws -> [UInt8] {
        try ports.keys.seal(
            secret, for: .factors, context: SealedValue.Kind.factor.context(app.name.text, account.text, id.text))
    }

    func openTOTP(_ material: [UInt8], _ id: FactorID, of account: Account) throws -> TOTP {
        TOTP(secret: try openTOTPSecret(material, id, of: account.id))
    }

    func openTOTPSecret(_ material: [UInt8], _ id: FactorID, of account: AccountID) throws -> [UInt8] {
        try ports.keys.open(
            material, for: .factors, context: SealedValue.Kind.factor.context(app.name.text, account.text, id.text))
    }
}

/// Completes a sign-in with the second factor.
struct SecondFactorHandler: AuthenticationHandler {
    let call: AnswerChallenge
    let token: ChallengeToken
    let pending: PendingSignIn
    static let action = AnswerChallenge.kind

    var boundKey: String? { pending.boundKey }

    func attribution(in engine: AuthEngine) -> AttemptAttribution { pending.attribution }

    func authenticate(in engine: AuthEngine) async throws -> Authentication {
        let account = try await engine.account(pending.account, ifCredentialsAre: pending.credentialVersion)
        let reversal = try await engine.reversal(ofGuessesAt: engine.guessSubject(of: account))
        let enrolled = try await engine.ports.store.factors(of: account.id, in: engine.app.name)
        let methods = engine.methods(answering: token, of: account, enrolled)
        let answer = try ChallengeAnswer(call, by: methods)
        var attribution = pending.attribution
        attribution.factor = answer.method.rawValue
        let event = try await engine.attributing(to: attribution) {
            try await engine.judge(answer, to: token, of: account)
        }
        try await engine.forgive(reversal)
        var authentication = try pending.authentication(of: account, adding: event)
        if call.rememberDevice, authentication.context.level == .aal2 {
            authentication.remembered = engine.remembered(of: account, enrolled)
        }
        return authentication
    }
}

extension AuthEngine {
    /// Returns the account of a challenge that asks for a factor.
    ///
    /// - Throws: ``AuthError/challengeRefused``, also for another step.
    func account(of token: ChallengeToken) async throws -> Account {
        switch token.step {
        case .secondFactor(let pending):
            try await account(pending.account, ifCredentialsAre: pending.credentialVersion)
        case .stepUp(let pending): try await account(pending.account, ifCredentialsAre: pending.credentialVersion)
        case .provider, .enrolment, .passkeyRegistration, .passkeySignIn, .passkeyAccount, .passkeyRecovery:
            throw AuthError.challengeRefused
        }
    }

    /// Returns the account of a challenge.
    ///
    /// - Throws: ``AuthError/challengeRefused`` if it was deleted or disabled, or its credentials have changed.
    func account(_ id: String, ifCredentialsAre version: Int) async throws -> Account {
        guard let account = try await ports.store.account(AccountID(id), in: app.name), account.isActive,
            account.credentialVersion == version
        else { throw AuthError.challengeRefused }
        return account
    }
}
