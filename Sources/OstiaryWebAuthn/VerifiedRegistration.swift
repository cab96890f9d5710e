/// The result of a verified registration: the contents of a credential record. Source: WebAuthn Level 3 §7.1 step 27.
package struct VerifiedRegistration: Sendable, Hashable {
    /// The credential id: 1 to 1023 bytes.
    package let credentialID: [UInt8]
    /// The credential public key as a COSE key, as the authenticator encoded it.
    package let publicKey: [UInt8]
    /// The algorithm of the credential public key.
    package let algorithm: COSEKey.Algorithm
    /// The signature counter.
    package let signCount: UInt32
    /// The transports that the client reports; a claim.
    package let transports: [String]
    /// The flag BE.
    package let isBackupEligible: Bool
    /// The flag BS.
    package let isBackedUp: Bool
    /// The flag UV.
    package let isUserVerified: Bool
    /// The identifier of the authenticator's model, 16 bytes; a claim, because no attestation is trusted.
    package let aaguid: [UInt8]
    /// The attestation statement format, whose statement was not verified: at most 32 bytes of printable ASCII.
    package let attestationFormat: String
}
