package import OstiaryContracts

/// The response of an authentication ceremony, as `PublicKeyCredential.toJSON()` writes it; nothing in it is verified.
/// Source: WebAuthn Level 3 §5.1 (`AuthenticationResponseJSON`).
package struct AuthenticationResponse: Sendable {
    /// The credential id: 1 to 1023 bytes.
    package let credentialID: [UInt8]
    /// The client data, exactly as the client hashed it.
    package let clientDataJSON: [UInt8]
    /// The authenticator data.
    package let authenticatorData: [UInt8]
    /// The assertion signature.
    package let signature: [UInt8]
    /// The user handle, if the authenticator returned one: 1 to 64 bytes.
    package let userHandle: [UInt8]?

    /// Reads a response; unknown members are ignored.
    package init(_ json: JSON) throws(WebAuthnProblem) {
        let credential = try PublicKeyCredentialJSON(json)
        credentialID = credential.id
        clientDataJSON = try credential.bytes(.clientDataJSON, atMost: PublicKeyCredentialJSON.maximumClientDataBytes)
        authenticatorData = try credential.bytes(.authenticatorData, atMost: CBOR.maximumBytes)
        signature = try credential.bytes(.signature, atMost: PublicKeyCredentialJSON.maximumSignatureBytes)
        userHandle = try credential.optionalBytes(
            .userHandle, atMost: PublicKeyCredentialJSON.maximumUserHandleBytes)
    }

    /// Parses and reads a response.
    package init(parsing bytes: [UInt8]) throws(WebAuthnProblem) {
        try self.init(PublicKeyCredentialJSON.read(bytes))
    }
}
