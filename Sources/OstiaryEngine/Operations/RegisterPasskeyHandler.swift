import OstiaryCore
import OstiaryWebAuthn

extension RegisterPasskey: EngineOperation {
    var handler: RegisterPasskeyHandler { RegisterPasskeyHandler(call: self) }
}

/// Verifies a new passkey and adds it, raises the session, and ends the account's other sessions.
struct RegisterPasskeyHandler: OperationHandler {
    let call: RegisterPasskey

    static let action = RegisterPasskey.kind

    /// The name of a passkey that its owner does not name.
    private static let usualName = "Passkey"

    func perform(in engine: AuthEngine) async throws -> Outcome<AddedFactor> {
        let settings = try engine.passkeySettings()
        let bearer = try await engine.factorOwner(call.accessToken, adding: .passkey)
        let (account, session) = (bearer.account, bearer.session)
        let token = try ChallengeToken(call.passkeyToken, in: engine)
        guard case .passkeyRegistration(let pending) = token.step, pending.account == account.id.text,
            pending.session == session.id.text, pending.credentialVersion == account.credentialVersion
        else { throw Refused(.challengeRefused, account: account.id, session: session.id) }
        let response: RegistrationResponse
        do { response = try RegistrationResponse(parsing: Array(call.credential.utf8)) } catch {
            throw Refused(.invalid(.credential, .malformed), account: account.id, session: session.id)
        }
        do {
            let challenge = try await engine.redeemPasskeyChallenge(in: response.clientDataJSON, of: token)
            let verified = try engine.relyingParty(settings).verifyRegistration(response, challenge: challenge)
            let now = engine.ports.system.now()
            let factor = Factor(
                app: engine.app.name, account: account.id,
                id: try FactorID(engine.ports.system.randomBytes(16).base64URL),
                kind: .passkey, name: call.name?.text ?? Self.usualName,
                material: try PasskeyMaterial(verified, userHandle: pending.userHandle).encoded(),
                credentialID: verified.credentialID, counter: Int64(verified.signCount), createdAt: now)
            let event = AuthenticationContext.Event(
                method: .verifiedPasskey, at: now, isHardwareBound: !verified.isBackupEligible)
            let codes = try await engine.enrol(factor, of: bearer, by: event, spending: nil)
            return Outcome(
                AddedFactor(factor: factor.entry, recoveryCodes: codes), account: account.id, session: session.id)
        } catch let problem as WebAuthnProblem {
            // The owner is authenticated: another origin or RP ID points to the configuration.
            if problem == .origin || problem == .relyingPartyID { _ = engine.ports.report(problem) }
            throw Refused(.credentialRefused, account: account.id, session: session.id)
        } catch StoreRefusal.identifierTaken {
            // WebAuthn Level 3 §7.1 step 26: the credential id is registered.
            throw Refused(.credentialRefused, account: account.id, session: session.id)
        }
    }
}
