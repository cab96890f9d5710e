/// The creator and user of the private keys that sessions are bound to.
public protocol SessionKeyProvider: Sendable {
    /// Creates a random key on the curve P-256.
    ///
    /// - Throws: ``SessionKeyProblem`` if this device cannot create one now.
    func makeKey() throws(SessionKeyProblem) -> SessionKey

    /// Returns the ECDSA signature with SHA-256 of some bytes: 64 bytes, `r` and `s`.
    ///
    /// - Throws: ``SessionKeyProblem/lost`` for a key that can never be used again, such as one of another device.
    func signature(of bytes: [UInt8], by key: SessionKey) throws(SessionKeyProblem) -> [UInt8]
}

/// The reason why a key cannot be used.
public enum SessionKeyProblem: Error, Hashable, Sendable {
    /// The key cannot be created or used at the moment.
    case unavailable
    /// The key can never be used again: it belongs to another device, or is damaged.
    case lost
}
