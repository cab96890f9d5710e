public import OstiaryCore

/// The private key that a session's tokens are bound to, in the form in which it is stored with the session.
public struct SessionKey: Hashable, Sendable {
    /// The name of the form of ``representation``, which the provider that created the key knows.
    public let form: String
    /// The public key.
    public let publicKey: P256PublicKey
    /// The private key as its provider reads it. A key of the Secure Enclave is encrypted, and usable on this device only.
    public let representation: Secret<[UInt8]>

    /// Creates a key from its parts.
    public init(form: String, publicKey: P256PublicKey, representation: Secret<[UInt8]>) {
        self.form = form
        self.publicKey = publicKey
        self.representation = representation
    }
}
