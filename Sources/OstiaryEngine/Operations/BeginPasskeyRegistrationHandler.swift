import OstiaryCore
import OstiaryWebAuthn

extension BeginPasskeyRegistration: EngineOperation {
    var handler: BeginPasskeyRegistrationHandler { BeginPasskeyRegistrationHandler(call: self) }
}

/// Returns the options with which an authenticator creates a passkey.
struct BeginPasskeyRegistrationHandler: OperationHandler {
    let call: BeginPasskeyRegistration

    static let action = BeginPasskeyRegistration.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<PasskeyOptions> {
        let settings = try engine.passkeySettings()
        let owner = try await engine.factorOwner(call.accessToken, adding: .passkey)
        let (ports, account) = (engine.ports, owner.account)
        let enrolled = try await ports.store.factors(of: account.id, in: engine.app.name)
        guard enrolled.factors.count < Factor.limitPerAccount else {
            throw owner.refused(.factorLimitReached)
        }
        let passkeys = engine.passkeys(of: enrolled)
        // All passkeys of an account have one user handle, so that an authenticator keeps one of them.
        let userHandle =
            try passkeys.first.map { Array(try PasskeyMaterial($0).userHandle) }
            ?? ports.system.randomBytes(PasskeySettings.userHandleBytes)
        let token = ChallengeToken(
            .passkeyRegistration(
                PendingPasskey(
                    account: account.id.text, credentialVersion: account.credentialVersion,
                    session: owner.sessionID?.text, userHandle: userHandle)),
            id: ports.system.randomBytes(16), lifetimeSeconds: PasskeySettings.challengeSeconds, at: ports.system.now())
        let options = engine.relyingParty(settings).creationOptions(
            PasskeyUser(handle: userHandle, name: account.label), name: settings.relyingPartyName,
            challenge: engine.passkeyChallenge(for: token), excluding: passkeys.compactMap(\.credentialID),
            timeoutSeconds: PasskeySettings.challengeSeconds)
        return owner.outcome(PasskeyOptions(token: try token.sealed(in: engine), publicKey: options))
    }
}
