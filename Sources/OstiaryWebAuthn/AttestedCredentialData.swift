/// The credential that an authenticator created. Source: WebAuthn Level 3 §6.5.1.
package struct AttestedCredentialData: Sendable {
    /// The identifier of the authenticator's model, 16 bytes; without trusted attestation it is a claim.
    package let aaguid: [UInt8]
    /// The credential id: 1 to 1023 bytes.
    package let credentialID: [UInt8]
    /// The credential public key, as the authenticator encoded it.
    package let publicKeyBytes: [UInt8]
    /// The credential public key.
    package let publicKey: COSEKey

    private static let aaguidBytes = 16

    /// Reads the data at the start of the bytes, and drops it from them.
    init(readingFrom bytes: inout ArraySlice<UInt8>) throws(WebAuthnProblem) {
        let lengthBytes = 2
        guard bytes.count >= Self.aaguidBytes + lengthBytes else { throw .authenticatorData }
        aaguid = Array(bytes.prefix(Self.aaguidBytes))
        bytes = bytes.dropFirst(Self.aaguidBytes)
        // §7.1 step 25.
        let length = bytes.prefix(lengthBytes).reduce(0) { $0 << 8 | Int($1) }
        guard (1...PublicKeyCredentialJSON.maximumIDBytes).contains(length) else { throw .credentialIDLength }
        bytes = bytes.dropFirst(lengthBytes)
        guard bytes.count >= length else { throw .authenticatorData }
        credentialID = Array(bytes.prefix(length))
        bytes = bytes.dropFirst(length)
        let decoded: (value: CBOR, length: Int)
        do { decoded = try CBOR.decodePrefix(of: bytes) } catch { throw .publicKey(.cbor(error)) }
        do { publicKey = try COSEKey(decoded.value) } catch { throw .publicKey(error) }
        publicKeyBytes = Array(bytes.prefix(decoded.length))
        bytes = bytes.dropFirst(decoded.length)
    }
}
