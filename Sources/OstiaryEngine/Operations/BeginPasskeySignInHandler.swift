import OstiaryCore
import OstiaryWebAuthn

extension BeginPasskeySignIn: EngineOperation {
    var handler: BeginPasskeySignInHandler { BeginPasskeySignInHandler() }
}

/// Returns the options with which a passkey signs in. Reads and writes nothing in the store.
struct BeginPasskeySignInHandler: OperationHandler {
    static let action = BeginPasskeySignIn.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<PasskeyOptions> {
        let settings = try engine.passkeySignInSettings()
        let token = ChallengeToken(
            .passkeySignIn, id: engine.ports.system.randomBytes(16), lifetimeSeconds: PasskeySettings.challengeSeconds,
            at: engine.ports.system.now())
        let options = engine.relyingParty(settings).requestOptions(
            challenge: engine.passkeyChallenge(for: token), allowing: [],
            timeoutSeconds: PasskeySettings.challengeSeconds)
        return Outcome(PasskeyOptions(token: try token.sealed(in: engine), publicKey: options))
    }
}

extension AuthEngine {
    /// Returns the settings of the app's passkeys as a way to sign in.
    ///
    /// - Throws: ``AuthError/notFound`` for an app without passkeys, or whose accounts an external provider authenticates,
    ///   because it could not end their access.
    func passkeySignInSettings() throws -> PasskeySettings {
        guard app.rules.identifier != .subject, ports.identities.credentialProvider == nil else {
            throw AuthError.notFound
        }
        return try passkeySettings()
    }
}
