import OstiaryCore
import OstiaryWebAuthn

/// Accounts that begin with a passkey and no password: see decision 58.
extension AuthEngine {
    /// The name of a passkey that its owner does not name.
    static let usualPasskeyName = "Passkey"

    /// Returns the settings of the app's passkeys as the first credential of an account.
    ///
    /// - Throws: ``AuthError/notFound`` for an app where passkeys do not sign in, or answer no challenge: the owner could not
    ///   confirm a sensitive operation.
    func passkeyAccountSettings() throws -> PasskeySettings {
        guard app.secondFactor.methods.contains(.passkey) else { throw AuthError.notFound }
        return try passkeySignInSettings()
    }

    /// Verifies the passkey of a new account, and uses up its challenge.
    ///
    /// - Returns: The passkey, and the event of its creation.
    /// - Throws: ``AuthError/challengeRefused`` for a token that is expired or of another identifier;
    ///   ``AuthError/credentialRefused``; ``AuthError/invalid(_:_:)`` for a response with missing or malformed members.
    func newPasskey(
        _ response: PasskeyResponse, of identifier: Identifier
    ) async throws -> (passkey: NewPasskey, event: AuthenticationContext.Event) {
        let settings = try passkeyAccountSettings()
        let token = try ChallengeToken(response.token, in: self)
        guard case .passkeyAccount(let pending) = token.step,
            pending.identifier.utf8.elementsEqual(identifier.canonical.utf8)
        else { throw AuthError.challengeRefused }
        let registration: RegistrationResponse
        do { registration = try RegistrationResponse(parsing: Array(response.credential.utf8)) } catch {
            throw AuthError.invalid(.credential, .malformed)
        }
        do {
            let challenge = try await redeemPasskeyChallenge(in: registration.clientDataJSON, of: token)
            let verified = try relyingParty(settings).verifyRegistration(registration, challenge: challenge)
            guard try await !isRegistered(verified.credentialID, with: settings) else {
                throw AuthError.credentialRefused
            }
            let passkey = NewPasskey(
                id: try FactorID(ports.system.randomBytes(16).base64URL), name: Self.usualPasskeyName,
                material: try PasskeyMaterial(verified, userHandle: pending.userHandle).encoded(),
                credentialID: verified.credentialID, counter: Int64(verified.signCount))
            let event = AuthenticationContext.Event(
                method: .verifiedPasskey, at: ports.system.now(), isHardwareBound: !verified.isBackupEligible)
            return (passkey, event)
        } catch is WebAuthnProblem {
            throw AuthError.credentialRefused
        }
    }

    /// Verifies that the passkey of an unconfirmed registration is presented again.
    ///
    /// - Returns: The passkey with its new signature counter, and the event.
    /// - Throws: ``AuthError/wrongCredentials``, ``AuthError/challengeRefused``, ``AuthError/invalid(_:_:)``.
    func verify(
        _ response: PasskeyResponse, by passkey: NewPasskey
    ) async throws -> (passkey: NewPasskey, event: AuthenticationContext.Event) {
        let settings = try passkeyAccountSettings()
        let token = try ChallengeToken(response.token, in: self)
        guard case .passkeySignIn = token.step else { throw AuthError.challengeRefused }
        let assertion = try AuthenticationResponse(reading: response.credential)
        do {
            let challenge = try await redeemPasskeyChallenge(in: assertion.clientDataJSON, of: token)
            let material = try PasskeyMaterial(passkey.material)
            let verified = try relyingParty(settings).verifyAuthentication(
                assertion,
                against: StoredCredential(
                    credentialID: passkey.credentialID, publicKey: Array(material.publicKey),
                    signCount: UInt32(clamping: passkey.counter), isBackupEligible: material.isBackupEligible,
                    userHandle: Array(material.userHandle)),
                challenge: challenge, requiresUserHandle: true)
            var current = passkey
            current.counter = Int64(verified.signCount)
            return (
                current,
                AuthenticationContext.Event(
                    method: .verifiedPasskey, at: ports.system.now(), isHardwareBound: !material.isBackupEligible)
            )
        } catch is WebAuthnProblem {
            throw AuthError.wrongCredentials
        }
    }
}
