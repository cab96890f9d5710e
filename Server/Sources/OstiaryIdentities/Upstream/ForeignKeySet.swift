import OstiaryContracts

/// The public keys of somebody else. Source: RFC 7517 §5.
struct ForeignKeySet: Sendable {
    /// More are not read.
    static let maximumKeys = 100

    let keys: [ForeignKey]

    /// Nil unless the bytes are a key set; keys in it that we cannot use are passed over.
    init?(_ bytes: [UInt8]) {
        guard let json = try? JSON.read(bytes), case .array(let entries)? = json["keys"] else { return nil }
        keys = entries.prefix(Self.maximumKeys).compactMap(ForeignKey.init)
    }

    /// The one key that can have signed the token: by its name, or, where the token names none, the only one of its kind.
    func key(for token: ForeignToken) -> ForeignKey? {
        let candidates = keys.filter { key in
            guard key.fits(token.algorithm) else { return false }
            guard let kid = token.kid else { return true }
            return key.kid.map { $0.utf8.elementsEqual(kid.utf8) } ?? false
        }
        return candidates.count == 1 ? candidates[0] : nil
    }
}
