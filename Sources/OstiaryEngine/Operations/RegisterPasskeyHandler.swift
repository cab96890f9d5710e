import OstiaryCore
import OstiaryWebAuthn

extension RegisterPasskey: EngineOperation {
    var handler: RegisterPasskeyHandler { RegisterPasskeyHandler(call: self) }
}

/// Verifies a new passkey and adds it, raises the session or completes the sign-in, and ends the account's other sessions.
struct RegisterPasskeyHandler: OperationHandler {
    let call: RegisterPasskey
    /// `false` for a recovery on a page.
    var opensSession = true

    static let action = RegisterPasskey.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<FactorConfirmation<AddedFactor>> {
        let settings = try engine.passkeySettings()
        let owner = try await engine.factorOwner(call.accessToken, adding: .passkey)
        return try await engine.attributing(to: owner.attribution(adding: .verifiedPasskey)) {
            try await register(for: owner, settings, in: engine)
        }
    }

    private func register(
        for owner: FactorOwner, _ settings: PasskeySettings, in engine: AuthEngine
    ) async throws -> Outcome<FactorConfirmation<AddedFactor>> {
        let account = owner.account
        let token = try ChallengeToken(call.passkeyToken, in: engine)
        guard case .passkeyRegistration(let pending) = token.step, pending.account == account.id.text,
            pending.session == owner.sessionID?.text, pending.credentialVersion == account.credentialVersion
        else { throw owner.refused(.challengeRefused) }
        let response: RegistrationResponse
        do { response = try RegistrationResponse(parsing: Array(call.credential.utf8)) } catch {
            throw owner.refused(.invalid(.credential, .malformed))
        }
        do {
            let challenge = try await engine.redeemPasskeyChallenge(in: response.clientDataJSON, of: token)
            let verified = try engine.relyingParty(settings).verifyRegistration(response, challenge: challenge)
            guard try await !engine.isRegistered(verified.credentialID, with: settings) else {
                throw StoreRefusal.identifierTaken
            }
            let now = engine.ports.system.now()
            let factor = Factor(
                app: engine.app.name, account: account.id,
                id: try FactorID(engine.ports.system.randomBytes(16).base64URL),
                kind: .passkey, name: call.name?.text ?? AuthEngine.usualPasskeyName,
                material: try PasskeyMaterial(verified, userHandle: pending.userHandle).encoded(),
                credentialID: verified.credentialID, counter: Int64(verified.signCount), createdAt: now)
            let event = AuthenticationContext.Event(
                method: .verifiedPasskey, at: now, isHardwareBound: !verified.isBackupEligible)
            let enrolment = try await engine.enrol(
                factor, of: owner, by: event, spending: nil, opensSession: opensSession)
            var outcome = enrolment.outcome(of: owner) { AddedFactor(factor: factor.entry, recoveryCodes: $0) }
            outcome.attribution = outcome.attribution ?? owner.attribution(adding: .verifiedPasskey)
            return outcome
        } catch let problem as WebAuthnProblem {
            // The owner is authenticated: another origin or RP ID points to the configuration.
            if problem == .origin || problem == .relyingPartyID { _ = engine.ports.report(problem) }
            throw owner.refused(.credentialRefused)
        } catch StoreRefusal.identifierTaken {
            // WebAuthn Level 3 §7.1 step 26: the credential id is registered.
            throw owner.refused(.credentialRefused)
        }
    }
}
