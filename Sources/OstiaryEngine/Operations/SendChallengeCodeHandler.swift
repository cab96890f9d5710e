import OstiaryCore

extension SendChallengeCode: EngineOperation {
    var handler: SendChallengeCodeHandler { SendChallengeCodeHandler(call: self) }
}

/// Sends a code to the verified phone number or address of a challenge's account.
struct SendChallengeCodeHandler: OperationHandler {
    let call: SendChallengeCode

    static let action = SendChallengeCode.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<Done> {
        let token = try ChallengeToken(call.challengeToken, in: engine)
        let account = try await engine.account(of: token)
        guard try await !engine.isAnswered(token) else { throw Refused(.challengeRefused, account: account.id) }
        let enrolled = try await engine.ports.store.factors(of: account.id, in: engine.app.name)
        guard engine.methods(answering: token, of: account, enrolled).contains(call.method),
            let recipient = engine.codeRecipient(of: account, by: call.method)
        else { throw Refused(.invalid(.method, .notSupported), account: account.id) }
        try await engine.sendCode(
            engine.newCodeSession(), keptFor: engine.codeName(of: token, by: call.method), to: recipient,
            within: [
                engine.cooldown("challenge", account.id.text, seconds: SecondFactorPolicy.resendAfterSeconds),
                AttemptBucket(
                    key: engine.key(.codeRequest, "challenge", account.id.text),
                    limit: RateLimit(attempts: SecondFactorPolicy.codesPerHour, perSeconds: 3600)),
            ])
        return Outcome(Done(), account: account.id)
    }
}

extension AuthEngine {
    /// Returns the destination of a challenge's code; `nil` for a method without codes, or an account without a verified
    /// destination. A phone number is verified where people sign in with it.
    func codeRecipient(of account: Account, by method: ChallengeMethod) -> Recipient? {
        switch method {
        case .smsCode: hasProvedPhoneNumber(account) ? account.phoneNumber.map(Recipient.phoneNumber) : nil
        case .emailCode: account.isEmailVerified ? account.email.map(Recipient.email) : nil
        default: nil
        }
    }

    /// Returns `true` if the phone number of an account is verified and signs in.
    private func hasProvedPhoneNumber(_ account: Account) -> Bool {
        app.rules.identifier == .phoneNumber && account.hasVerifiedPhoneNumber(under: app.rules)
    }

    /// Returns the name under which the code of a challenge is kept.
    func codeName(of token: ChallengeToken, by method: ChallengeMethod) -> String {
        "challenge \(token.id.base64URL) \(method.rawValue)"
    }

    /// Returns `true` if an answer is the last code that was sent for a challenge.
    func isSentCode(
        _ answer: Secret<String>, by method: ChallengeMethod, for token: ChallengeToken
    ) async throws -> Bool {
        guard let code = try? OneTimeCode(answer.reveal()) else { return false }
        let pending = try await ports.store.code(
            for: recipientKey(codeName(of: token, by: method)), in: app.name, at: ports.system.now())
        guard let pending else { return false }
        return constantTimeEqual(hash(code, id: pending.id), pending.codeHash)
    }
}
