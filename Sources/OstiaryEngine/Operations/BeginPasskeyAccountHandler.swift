import OstiaryCore
import OstiaryWebAuthn

extension BeginPasskeyAccount: EngineOperation {
    var handler: BeginPasskeyAccountHandler { BeginPasskeyAccountHandler(call: self) }
}

/// Returns the options with which an authenticator creates the passkey of a new account. Reads and writes nothing in the
/// store, so the answer reveals no account.
struct BeginPasskeyAccountHandler: OperationHandler {
    let call: BeginPasskeyAccount

    static let action = BeginPasskeyAccount.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<PasskeyOptions> {
        let settings = try engine.passkeyAccountSettings()
        let (identifier, system) = (call.identifier, engine.ports.system)
        guard identifier.field == engine.app.rules.identifierField else {
            throw AuthError.invalid(engine.app.rules.identifierField, .missing)
        }
        switch identifier {
        case .username(let username) where !username.isFit(for: engine.app.rules):
            throw AuthError.invalid(.username, .malformed)
        case .email(let email) where !email.isFit: throw AuthError.invalid(.email, .malformed)
        default: break
        }
        let userHandle = system.randomBytes(PasskeySettings.userHandleBytes)
        let token = ChallengeToken(
            .passkeyAccount(PendingPasskeyAccount(identifier: identifier.canonical, userHandle: userHandle)),
            id: system.randomBytes(16), lifetimeSeconds: PasskeySettings.challengeSeconds, at: system.now())
        let options = engine.relyingParty(settings).creationOptions(
            PasskeyUser(handle: userHandle, name: identifier.text), name: settings.relyingPartyName,
            challenge: engine.passkeyChallenge(for: token), excluding: [],
            timeoutSeconds: PasskeySettings.challengeSeconds)
        return Outcome(PasskeyOptions(token: try token.sealed(in: engine), publicKey: options))
    }
}
