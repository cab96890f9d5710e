import Testing

@testable import OstiaryWebAuthn

extension RecordedCeremony: CustomTestStringConvertible {
    var testDescription: String { name }
}

@Suite struct RecordedCeremonyTests {
    private static let relyingParty = RelyingParty(
        id: RecordedCeremony.relyingPartyID, origins: [RecordedCeremony.origin])

    @Test(arguments: RecordedCeremony.verified)
    func `the output of an independent authenticator is verified`(recorded: RecordedCeremony) throws {
        let registered = try Self.relyingParty.verifyRegistration(
            RegistrationResponse(parsing: Array(recorded.registration.utf8)),
            challenge: recorded.registrationChallenge)
        var stored = StoredCredential(
            credentialID: registered.credentialID, publicKey: registered.publicKey, signCount: registered.signCount,
            isBackupEligible: registered.isBackupEligible, userHandle: RecordedCeremony.userHandle)
        let response = try AuthenticationResponse(parsing: Array(recorded.authentication.utf8))
        let verify = { (stored: StoredCredential, challenge: [UInt8]) in
            try Self.relyingParty.verifyAuthentication(
                response, against: stored, challenge: challenge,
                allowedCredentialIDs: [registered.credentialID], requiresUserHandle: true)
        }
        let verified = try verify(stored, recorded.authenticationChallenge)
        #expect(verified.signCount == registered.signCount + 1)
        #expect(throws: WebAuthnProblem.challenge) { try verify(stored, recorded.registrationChallenge) }
        stored.signCount = verified.signCount
        #expect(throws: WebAuthnProblem.signatureCounter) { try verify(stored, recorded.authenticationChallenge) }
    }

    @Test func `the output of an authenticator that does not verify the user is refused`() throws {
        let recorded = RecordedCeremony.unverified
        #expect(throws: WebAuthnProblem.userVerification) {
            try Self.relyingParty.verifyRegistration(
                RegistrationResponse(parsing: Array(recorded.registration.utf8)),
                challenge: recorded.registrationChallenge)
        }
        let response = try AuthenticationResponse(parsing: Array(recorded.authentication.utf8))
        let stored = StoredCredential(
            credentialID: response.credentialID, publicKey: [], signCount: 0, isBackupEligible: false,
            userHandle: RecordedCeremony.userHandle)
        #expect(throws: WebAuthnProblem.userVerification) {
            try Self.relyingParty.verifyAuthentication(
                response, against: stored, challenge: recorded.authenticationChallenge, requiresUserHandle: true)
        }
    }

    @Test(arguments: RecordedCeremony.verified)
    func `one credential does not authenticate for another`(recorded: RecordedCeremony) throws {
        let response = try AuthenticationResponse(parsing: Array(recorded.authentication.utf8))
        for other in RecordedCeremony.verified where other.name != recorded.name {
            let registered = try Self.relyingParty.verifyRegistration(
                RegistrationResponse(parsing: Array(other.registration.utf8)),
                challenge: other.registrationChallenge)
            var stored = StoredCredential(
                credentialID: registered.credentialID, publicKey: registered.publicKey, signCount: 0,
                isBackupEligible: false, userHandle: RecordedCeremony.userHandle)
            let verify = { (stored: StoredCredential) in
                try Self.relyingParty.verifyAuthentication(
                    response, against: stored, challenge: recorded.authenticationChallenge, requiresUserHandle: true)
            }
            #expect(throws: WebAuthnProblem.credentialID) { try verify(stored) }
            stored.credentialID = response.credentialID
            #expect(throws: WebAuthnProblem.signature) { try verify(stored) }
        }
    }
}
