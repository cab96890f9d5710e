package import OstiaryContracts

/// The response of a registration ceremony, as `PublicKeyCredential.toJSON()` writes it; nothing in it is verified.
///
/// The members `authenticatorData`, `publicKey` and `publicKeyAlgorithm` repeat what the attestation object contains and
/// are ignored. Source: WebAuthn Level 3 §5.1 (`RegistrationResponseJSON`).
package struct RegistrationResponse: Sendable {
    /// The limits of `transports`, whose values are not restricted to the known ones. Source: WebAuthn Level 3 §5.2.1.
    private static let maximumTransports = (count: 16, bytes: 32)

    /// The credential id: 1 to 1023 bytes.
    package let credentialID: [UInt8]
    /// The client data, exactly as the client hashed it.
    package let clientDataJSON: [UInt8]
    /// The attestation object, in CBOR.
    package let attestationObject: [UInt8]
    /// The transports that the client reports, without duplicates: at most 16 texts in ASCII.
    package let transports: [String]

    /// Reads a response; unknown members are ignored.
    package init(_ json: JSON) throws(WebAuthnProblem) {
        let credential = try PublicKeyCredentialJSON(json)
        credentialID = credential.id
        clientDataJSON = try credential.bytes(.clientDataJSON, atMost: PublicKeyCredentialJSON.maximumClientDataBytes)
        attestationObject = try credential.bytes(.attestationObject, atMost: CBOR.maximumBytes)
        transports = try credential.texts(
            .transports, atMost: Self.maximumTransports.count, bytes: Self.maximumTransports.bytes)
    }

    /// Parses and reads a response.
    package init(parsing bytes: [UInt8]) throws(WebAuthnProblem) {
        try self.init(PublicKeyCredentialJSON.read(bytes))
    }
}
