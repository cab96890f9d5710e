import OstiaryCore
import OstiaryWebAuthn

extension SignInWithPasskey: EngineOperation {
    var handler: SessionOpeningHandler<SignInWithPasskeyHandler> {
        SessionOpeningHandler(authenticator: SignInWithPasskeyHandler(call: self))
    }
}

/// Verifies a passkey that identifies the account. Unknown, foreign and invalid passkeys get the same refusal.
struct SignInWithPasskeyHandler: AuthenticationHandler {
    let call: SignInWithPasskey

    static let action = SignInWithPasskey.kind

    func attribution(in engine: AuthEngine) -> AttemptAttribution { AttemptAttribution(method: SignInMethod.passkey) }

    func authenticate(in engine: AuthEngine) async throws -> Authentication {
        _ = try engine.passkeySignInSettings()
        let token = try ChallengeToken(call.passkeyToken, in: engine)
        guard case .passkeySignIn = token.step else { throw AuthError.challengeRefused }
        let response = try AuthenticationResponse(reading: call.credential)
        do {
            let (passkey, event) = try await engine.verifyPasskey(response, to: token, of: nil)
            guard let account = try await engine.ports.store.account(passkey.account, in: engine.app.name),
                account.isActive
            else { throw Refused(.wrongCredentials, account: passkey.account) }
            return Authentication(
                account: account, method: SignInMethod.passkey, context: AuthenticationContext([event]),
                rememberMe: call.rememberMe, device: call.device)
        } catch is WebAuthnProblem {
            throw AuthError.wrongCredentials
        }
    }
}
