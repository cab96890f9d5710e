/// The part of a credential record that an authentication is verified against, with the user handle of the account.
/// Source: WebAuthn Level 3 §4 (credential record).
package struct StoredCredential: Sendable {
    /// The credential id.
    package var credentialID: [UInt8]
    /// The credential public key: ``VerifiedRegistration/publicKey``.
    package var publicKey: [UInt8]
    /// The last accepted signature counter.
    package var signCount: UInt32
    /// The backup eligibility at registration.
    package var isBackupEligible: Bool
    /// The user handle of the account.
    package var userHandle: [UInt8]

    package init(
        credentialID: [UInt8], publicKey: [UInt8], signCount: UInt32, isBackupEligible: Bool, userHandle: [UInt8]
    ) {
        self.credentialID = credentialID
        self.publicKey = publicKey
        self.signCount = signCount
        self.isBackupEligible = isBackupEligible
        self.userHandle = userHandle
    }
}
