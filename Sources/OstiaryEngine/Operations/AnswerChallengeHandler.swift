import Foundation
import OstiaryCore

extension AnswerChallenge: EngineOperation {
    var handler: AnswerChallengeHandler { AnswerChallengeHandler(call: self) }
}

/// Answers the next step of a sign-in, or of a step-up.
struct AnswerChallengeHandler: OperationHandler {
    let call: AnswerChallenge
    static let action = AnswerChallenge.kind

    /// Only the answer to a step-up comes with an access token.
    func attribution(in engine: AuthEngine) -> AttemptAttribution {
        AttemptAttribution(method: call.accessToken == nil ? SignInMethod.unknown : nil)
    }

    func perform(in engine: AuthEngine) async throws -> Outcome<SignedIn> {
        let token = try ChallengeToken(call.challengeToken, in: engine)
        switch token.step {
        case .provider(let signIn, let step):
            let authenticator = ProviderStepHandler(answers: call.answers, signIn: signIn, step: step)
            return try await perform(authenticator, in: engine)
        case .secondFactor(let pending):
            let authenticator = SecondFactorHandler(call: call, token: token, pending: pending)
            return try await perform(authenticator, in: engine)
        case .stepUp(let pending):
            return try await engine.attributing(to: AttemptAttribution()) {
                try await engine.stepUp(pending, of: token, with: call)
            }
        case .enrolment, .passkeyRegistration, .passkeySignIn, .passkeyAccount, .passkeyRecovery:
            throw AuthError.challengeRefused
        }
    }

    private func perform(
        _ authenticator: some AuthenticationHandler, in engine: AuthEngine
    ) async throws -> Outcome<SignedIn> {
        try await engine.attributing(to: authenticator.attribution(in: engine)) {
            try await SessionOpeningHandler(authenticator: authenticator).perform(in: engine)
        }
    }
}

/// Continues a sign-in at an external credential provider with the answers to its next step.
struct ProviderStepHandler: AuthenticationHandler {
    let answers: [String: Secret<String>]
    let signIn: DelegatedSignIn
    let step: CredentialProviderStep
    static let action = AnswerChallenge.kind
    /// The identifier is in the token, and is counted as soon as the token is opened.
    var identifier: Identifier? { nil }
    var boundKey: String? { signIn.boundKey }

    func attribution(in engine: AuthEngine) -> AttemptAttribution {
        AttemptAttribution(method: SignInMethod.password, factor: Self.factors[step.name]?.factorName)
    }

    /// The name of the answer that carries a new password to the credential provider, and of the only step that asks
    /// for it.
    private static let newPassword = (answer: "NEW_PASSWORD", step: "NEW_PASSWORD_REQUIRED")
    /// The steps by which a credential provider checks a second factor. Source: Amazon Cognito, `ChallengeNameType`.
    private static let factors: [String: AuthenticationMethod] = [
        "SOFTWARE_TOKEN_MFA": .totp, "SMS_MFA": .smsCode, "EMAIL_OTP": .emailCode,
    ]

    func authenticate(in engine: AuthEngine) async throws -> Authentication {
        guard let credentialProvider = engine.ports.identities.credentialProvider else {
            throw AuthError.challengeRefused
        }
        var signIn = signIn
        let counted = try await engine.countGuess(at: engine.guessSubject(of: signIn.identifier))
        var answers = answers
        if step.name != Self.newPassword.step {
            // In any other step it changes nothing at the credential provider, and must not become the password of the
            // local account.
            answers[Self.newPassword.answer] = nil
        }
        let (password, given) = (answers[Self.newPassword.answer], answers)
        if let password, password.reveal().utf8.count > AuthEngine.longestDelegatedPassword {
            throw AuthError.invalid(.newPassword, .tooLong(maximum: AuthEngine.longestDelegatedPassword))
        }
        let answer: CredentialProviderAnswer
        do {
            answer = try await engine.translatingUpstreamErrors {
                try await credentialProvider.answer(step, given)
            }
        } catch {
            await engine.refund(counted, after: error)
            throw error
        }
        // The previous password is no longer valid anywhere.
        if let password { signIn.passwordHash = try await engine.migratedHash(of: password, for: credentialProvider) }
        let authentication = try await engine.follow(
            answer, signIn, after: Self.factors[step.name], of: credentialProvider)
        try await engine.forgive(counted.forgiveness)
        return authentication
    }
}
