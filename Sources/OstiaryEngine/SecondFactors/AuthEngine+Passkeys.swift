import OstiaryCore
import OstiaryWebAuthn

/// Challenges and verifies passkeys: see decision 50.
extension AuthEngine {
    /// Returns the settings of the app's passkeys.
    ///
    /// - Throws: ``AuthError/notFound`` for an app without passkeys.
    func passkeySettings() throws -> PasskeySettings {
        guard app.secondFactor.requirement != .off, let passkeys = app.passkeys else { throw AuthError.notFound }
        return passkeys
    }

    /// Returns the passkeys of an account.
    func passkeys(of enrolled: EnrolledFactors) -> [Factor] { enrolled.factors.filter { $0.kind == .passkey } }

    /// Returns a new WebAuthn challenge that belongs to a token: 16 random bytes, and 16 bytes of a keyed digest over them
    /// and the token. The store learns of it when it is redeemed.
    func passkeyChallenge(for token: ChallengeToken) -> [UInt8] {
        let random = ports.system.randomBytes(Self.passkeyChallengePart)
        return random + tag(of: random, for: token)
    }

    /// Redeems the challenge in the client data of a response.
    ///
    /// - Returns: The challenge.
    /// - Throws: ``WebAuthnProblem/challenge`` for one that does not belong to the token, or was redeemed before.
    func redeemPasskeyChallenge(in clientDataJSON: [UInt8], of token: ChallengeToken) async throws -> [UInt8] {
        let challenge = try RelyingParty.challenge(in: clientDataJSON)
        let random = Array(challenge.prefix(Self.passkeyChallengePart))
        guard constantTimeEqual(challenge, random + tag(of: random, for: token)) else {
            throw WebAuthnProblem.challenge
        }
        do {
            try await ports.store.add(
                SingleUseRecord(
                    app: app.name, kind: .passkeyChallenge,
                    hash: ports.keys.digest(["redeemed", challenge.base64URL], for: .challenges, app: app.name),
                    payload: [], expiresAt: token.expiresAt))
            return challenge
        } catch StoreRefusal.alreadySpent {
            throw WebAuthnProblem.challenge
        }
    }

    /// Returns `true` if a passkey of the RP ID has that credential id already, in this app or in another one, or if the undo of a
    /// removal restores one in this app. The store decides races within this app. Source: WebAuthn Level 3 §7.1 step 26.
    func isRegistered(_ credentialID: [UInt8], with settings: PasskeySettings) async throws -> Bool {
        for app in [app.name] + settings.otherApps
        where try await ports.store.passkey(credentialID, in: app) != nil {
            return true
        }
        // Read after the passkeys: an id is reserved before its passkey is removed.
        return try await isReserved(credentialID)
    }

    /// Verifies the response of a passkey, and records its use.
    ///
    /// - Parameter owner: The account that has the passkey; nil if the passkey identifies the account.
    /// - Returns: The passkey, and the event of the authentication.
    /// - Throws: ``WebAuthnProblem``. A signature counter that did not increase is reported to the owner.
    func verifyPasskey(
        _ response: AuthenticationResponse, to token: ChallengeToken, of owner: AccountID?
    ) async throws -> (passkey: Factor, event: AuthenticationContext.Event) {
        let challenge = try await redeemPasskeyChallenge(in: response.clientDataJSON, of: token)
        guard let passkey = try await ports.store.passkey(response.credentialID, in: app.name),
            owner == nil || passkey.account == owner
        else { throw WebAuthnProblem.credentialNotAllowed }
        let material = try PasskeyMaterial(passkey)
        do {
            let verified = try relyingParty(passkeySettings()).verifyAuthentication(
                response, against: StoredCredential(passkey, material), challenge: challenge,
                requiresUserHandle: owner == nil)
            let now = ports.system.now()
            let isNext = try await ports.store.recordUse(
                of: passkey.id, of: passkey.account, in: app.name, counter: Int64(verified.signCount), at: now)
            guard isNext else { throw WebAuthnProblem.signatureCounter }
            try await noteSignIn(with: passkey, answering: token)
            return (
                passkey,
                AuthenticationContext.Event(
                    method: .verifiedPasskey, at: now, isHardwareBound: !material.isBackupEligible)
            )
        } catch WebAuthnProblem.signatureCounter {
            try await warn(ownerOf: passkey)
            throw WebAuthnProblem.signatureCounter
        }
    }

    func relyingParty(_ settings: PasskeySettings) -> RelyingParty {
        RelyingParty(id: settings.relyingPartyID, origins: settings.origins)
    }

    /// Informs the owner of a passkey that may have been copied, unless the passkey was removed in the meantime.
    private func warn(ownerOf passkey: Factor) async throws {
        guard let credentialID = passkey.credentialID,
            try await ports.store.passkey(credentialID, in: app.name) != nil,
            let account = try await ports.store.account(passkey.account, in: app.name),
            let (content, recipient) = noticeContent(of: .passkeyRefused, to: account)
        else { return }
        try await sendWarning(content, to: recipient)
    }

    private static let passkeyChallengePart = 16

    private func tag(of random: [UInt8], for token: ChallengeToken) -> [UInt8] {
        let digest = ports.keys.digest(
            ["passkey", token.id.base64URL, random.base64URL], for: .challenges, app: app.name)
        return Array(digest.prefix(Self.passkeyChallengePart))
    }
}

extension AuthenticationResponse {
    /// Reads the response of a request.
    ///
    /// - Throws: ``AuthError/invalid(_:_:)`` for a response with missing or malformed members.
    init(reading credential: String) throws(AuthError) {
        do { try self.init(parsing: Array(credential.utf8)) } catch { throw .invalid(.credential, .malformed) }
    }
}
