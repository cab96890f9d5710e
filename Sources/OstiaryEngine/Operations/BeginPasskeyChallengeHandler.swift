import OstiaryCore
import OstiaryWebAuthn

extension BeginPasskeyChallenge: EngineOperation {
    var handler: BeginPasskeyChallengeHandler { BeginPasskeyChallengeHandler(call: self) }
}

/// Returns the options with which one of the account's passkeys answers a challenge.
struct BeginPasskeyChallengeHandler: OperationHandler {
    let call: BeginPasskeyChallenge

    static let action = BeginPasskeyChallenge.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<PasskeyOptions> {
        let settings = try engine.passkeySettings()
        let token = try ChallengeToken(call.challengeToken, in: engine)
        let account = try await engine.account(of: token)
        let enrolled = try await engine.ports.store.factors(of: account.id, in: engine.app.name)
        guard engine.methods(answering: token, of: account, enrolled).contains(.passkey) else {
            throw Refused(.notFound, account: account.id)
        }
        let options = engine.relyingParty(settings).requestOptions(
            challenge: engine.passkeyChallenge(for: token),
            allowing: engine.passkeys(of: enrolled).compactMap(\.credentialID),
            timeoutSeconds: PasskeySettings.challengeSeconds)
        return Outcome(PasskeyOptions(publicKey: options), account: account.id)
    }
}
