/// A key that App Attest has attested.
package struct AttestedAppKey: Sendable, Hashable {
    /// The key id: the SHA-256 hash of the public key.
    package var keyID: [UInt8]
    /// The public key, an uncompressed point of P-256: 65 bytes. Source: SEC 1 §2.3.3.
    package var publicKey: [UInt8]
    /// The App ID of the app that has the key.
    package var appID: String

    package init(keyID: [UInt8], publicKey: [UInt8], appID: String) {
        self.keyID = keyID
        self.publicKey = publicKey
        self.appID = appID
    }
}
