extension RelyingParty {
    /// Verifies a registration. Source: WebAuthn Level 3 §7.1.
    ///
    /// Step 26 is left to the caller: the credential id must not be stored yet for any account of this RP ID.
    ///
    /// - Parameters:
    ///   - challenge: The challenge of the options: 16 bytes at least. The caller spends it before the call.
    ///   - algorithms: The algorithms of the options.
    /// - Throws: ``WebAuthnProblem`` with the first step that failed.
    package func verifyRegistration(
        _ credential: RegistrationResponse, challenge: [UInt8],
        algorithms: Set<COSEKey.Algorithm> = Set(COSEKey.Algorithm.allCases)
    ) throws(WebAuthnProblem) -> VerifiedRegistration {
        // Steps 3 and 4: RegistrationResponse has read the response; client extension results are ignored.
        // Steps 5 and 6.
        let clientData = try CollectedClientData(credential.clientDataJSON)
        // Steps 7 to 11.
        try clientData.verify(.create, challenge: challenge, origins: origins)
        // Step 12: the hash of the client data is an input of attestation statements only; see step 22.
        // Step 13; step 17 as well, which depends on the flags alone, and step 25.
        let attestation = try AttestationObject(credential.attestationObject)
        let data = try AuthenticatorData(attestation.authenticatorData)
        // Steps 14 to 16.
        try verify(data)
        guard let attested = data.attestedCredential else { throw .attestedCredentialData }
        // Steps 18 and 19: backup eligibility and state are reported.
        // Step 20.
        guard algorithms.contains(attested.publicKey.algorithm) else { throw .algorithm }
        // Step 21: AttestationObject has read the format, which is not restricted to known ones.
        // Steps 22 to 24: no trust anchors are accepted, so statements are not verified, and every credential counts as
        // one with no attestation.
        // The id of the credential is not signed; it must be that of the attested credential, which is stored.
        guard attested.credentialID == credential.credentialID else { throw .credentialID }
        // Step 26: see above. Step 28: extensions are ignored. Steps 27 and 29.
        return VerifiedRegistration(
            credentialID: attested.credentialID, publicKey: attested.publicKeyBytes,
            algorithm: attested.publicKey.algorithm, signCount: data.signCount, transports: credential.transports,
            isBackupEligible: data.flags.contains(.backupEligible), isBackedUp: data.flags.contains(.backedUp),
            isUserVerified: data.flags.contains(.userVerified), aaguid: attested.aaguid,
            attestationFormat: attestation.format)
    }
}
