import OstiaryContracts

/// The public keys of an upstream provider. Source: RFC 7517 §5.
struct VerificationKeySet: Sendable {
    /// The maximum number of keys. Further ones are ignored.
    static let maximumKeys = 100

    let keys: [VerificationKey]

    /// Parses a key set; nil unless the bytes are one. Unusable keys in it are skipped.
    init?(_ bytes: [UInt8]) {
        guard let json = try? JSON.read(bytes), case .array(let entries)? = json["keys"] else { return nil }
        keys = entries.prefix(Self.maximumKeys).compactMap(VerificationKey.init)
    }

    /// Returns the one key that can have signed the token: by its `kid`, or, where the token names none, the only one
    /// that fits the algorithm.
    func key(for token: UnverifiedToken) -> VerificationKey? {
        let candidates = keys.filter { key in
            guard key.fits(token.algorithm) else { return false }
            guard let kid = token.kid else { return true }
            return key.kid.map { $0.utf8.elementsEqual(kid.utf8) } ?? false
        }
        return candidates.count == 1 ? candidates[0] : nil
    }
}
