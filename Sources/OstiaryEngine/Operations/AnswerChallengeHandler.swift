import Foundation
import OstiaryCore

extension AnswerChallenge: EngineOperation {
    var handler: SessionOpeningHandler<AnswerChallengeHandler> {
        SessionOpeningHandler(authenticator: AnswerChallengeHandler(call: self))
    }
}

/// Continues a sign-in at an external credential provider with the answers to its next step.
struct AnswerChallengeHandler: AuthenticationHandler {
    let call: AnswerChallenge
    static let action = AnswerChallenge.kind
    /// The identifier is in the token, and is counted as soon as the token is opened.
    var identifier: Identifier? { nil }

    /// The name of the answer that carries a new password to the credential provider, and of the only step that asks
    /// for it.
    private static let newPassword = (answer: "NEW_PASSWORD", step: "NEW_PASSWORD_REQUIRED")

    func authenticate(in engine: AuthEngine) async throws -> Authentication {
        guard let credentialProvider = engine.ports.identities.credentialProvider else {
            throw AuthError.authorizationRefused
        }
        let token = try ChallengeToken(call.challengeToken, in: engine)
        var signIn = token.signIn
        let counted = try await engine.countGuess(at: engine.guessSubject(of: signIn.identifier))
        var answers = call.answers
        if token.step.name != Self.newPassword.step {
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
                try await credentialProvider.answer(token.step, given)
            }
        } catch {
            await engine.refund(counted, after: error)
            throw error
        }
        // The previous password is no longer valid anywhere.
        if let password { signIn.passwordHash = try await engine.migratedHash(of: password, for: credentialProvider) }
        let authentication = try await engine.follow(answer, signIn, of: credentialProvider)
        try await engine.forgive(counted.forgiveness)
        return authentication
    }
}

/// The state of a sign-in between two steps: sealed and held by the client, so the server stores nothing.
struct ChallengeToken: Codable {
    var signIn: DelegatedSignIn
    var step: CredentialProviderStep
    var expiresAt: Date

    init(_ signIn: DelegatedSignIn, _ step: CredentialProviderStep, at now: Date) {
        self.signIn = signIn
        self.step = step
        expiresAt = now.addingTimeInterval(Double(step.lifetimeSeconds))
    }

    /// Opens a token.
    ///
    /// - Throws: ``AuthError/authorizationRefused`` for a token that this server did not seal, or that has expired.
    init(_ text: Secret<String>, in engine: AuthEngine) throws(AuthError) {
        guard let sealed = Base64URL.decode(text.reveal().utf8),
            let plain = try? engine.ports.keys.open(sealed, for: .challenges, context: engine.app.name.text),
            let token = try? JSONDecoder().decode(ChallengeToken.self, from: Data(plain)),
            engine.ports.system.now() < token.expiresAt
        else { throw .authorizationRefused }
        self = token
    }

    func sealed(in engine: AuthEngine) throws -> Secret<String> {
        let plain = Array(try JSONEncoder().encode(self))
        return Secret(try engine.ports.keys.seal(plain, for: .challenges, context: engine.app.name.text).base64URL)
    }
}
