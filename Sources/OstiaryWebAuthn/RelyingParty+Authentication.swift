#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

extension RelyingParty {
    /// Verifies an authentication. Source: WebAuthn Level 3 §7.2.
    ///
    /// - Parameters:
    ///   - stored: The credential that the caller found by the response's credential id, with the user handle of its
    ///     account. Where the account was identified before, it is a credential of that account.
    ///   - challenge: The challenge of the options: 16 bytes at least. The caller spends it before the call.
    ///   - allowedCredentialIDs: The credentials of the options; empty if the options list none.
    ///   - requiresUserHandle: `true` if the account was not identified before (discoverable credentials).
    /// - Throws: ``WebAuthnProblem`` with the first step that failed; ``WebAuthnProblem/signatureCounter`` only after
    ///   every other step succeeded.
    package func verifyAuthentication(
        _ credential: AuthenticationResponse, against stored: StoredCredential, challenge: [UInt8],
        allowedCredentialIDs: [[UInt8]] = [], requiresUserHandle: Bool
    ) throws(WebAuthnProblem) -> VerifiedAuthentication {
        // Steps 3 and 4: AuthenticationResponse has read the response; client extension results are ignored.
        // Step 5.
        guard allowedCredentialIDs.isEmpty || allowedCredentialIDs.contains(credential.credentialID) else {
            throw .credentialNotAllowed
        }
        // Step 6.
        guard stored.credentialID == credential.credentialID else { throw .credentialID }
        if let userHandle = credential.userHandle {
            guard ConstantTime.isEqual(userHandle, stored.userHandle) else { throw .userHandle }
        } else if requiresUserHandle {
            throw .userHandleMissing
        }
        // Steps 7 to 9.
        let clientData = try CollectedClientData(credential.clientDataJSON)
        // Steps 10 to 14.
        try clientData.verify(.get, challenge: challenge, origins: origins)
        // Step 18 as well, which depends on the flags alone.
        let data = try AuthenticatorData(credential.authenticatorData)
        // Steps 15 to 17.
        try verify(data)
        // §6.1: an assertion has no attested credential data.
        guard data.attestedCredential == nil else { throw .attestedCredentialData }
        // Step 19.
        guard data.flags.contains(.backupEligible) == stored.isBackupEligible else { throw .backupEligibility }
        // Step 20.
        let hash = SHA256.hash(data: credential.clientDataJSON)
        // Step 21.
        guard let publicKey = try? COSEKey(stored.publicKey) else { throw .storedPublicKey }
        guard publicKey.isValidSignature(credential.signature, for: credential.authenticatorData + hash) else {
            throw .signature
        }
        // Step 22.
        guard data.signCount > stored.signCount || (data.signCount == 0 && stored.signCount == 0) else {
            throw .signatureCounter
        }
        // Step 23: extensions are ignored. Steps 24 and 25.
        return VerifiedAuthentication(
            signCount: data.signCount, isBackedUp: data.flags.contains(.backedUp),
            isUserVerified: data.flags.contains(.userVerified))
    }
}
