public import Foundation

#if canImport(CryptoKit)
public import CryptoKit
#else
public import Crypto
#endif

extension KeyRing {
    /// The name of the key that hashes and tokens are derived from.
    private static let derivationName = "derivation"

    /// Creates the key ring of a store from the configured encryption keys.
    ///
    /// The key that hashes and tokens are derived from is kept in the store, sealed. It is the encryption key of the time when
    /// the store was first opened: a later change of the encryption key ends no session and voids no recovery code.
    ///
    /// - Parameters:
    ///   - encryptionKeys: The encryption keys, the newest first; 32 bytes each.
    ///   - replacesForeignKey: `true` to continue, with all hashes void, where the store's key was sealed with another key.
    /// - Throws: ``ForeignStoreKey`` if none of the keys is that of the store, and the errors of the store.
    public init(
        of store: any SealedValueStore, encryptionKeys: [SymmetricKey], at now: Date, replacesForeignKey: Bool = false
    ) async throws {
        guard let newest = encryptionKeys.first else { throw ForeignStoreKey() }
        let ring = KeyRing(master: newest, earlier: Array(encryptionKeys.dropFirst()), derivation: newest)
        let own = encryptionKeys[try await ring.ownKey(of: store)]
        let context = SealedValue.Kind.storeKey.context(Self.derivationName)
        let sealed = try await store.storeKey(
            Self.derivationName, orAdding: ring.seal(Self.bytes(own), for: .storeKeys, context: context), at: now)
        if let plain = try? ring.open(sealed, for: .storeKeys, context: context) {
            self.init(
                master: newest, earlier: Array(encryptionKeys.dropFirst()), derivation: SymmetricKey(data: plain))
            return
        }
        guard replacesForeignKey else { throw ForeignStoreKey() }
        let foreign = SealedValue(
            .storeKey, at: SealedValue.Position(texts: [Self.derivationName]), names: [Self.derivationName],
            bytes: sealed)
        _ = try await store.replace(
            foreign, with: ring.seal(Self.bytes(newest), for: .storeKeys, context: context))
        self = ring
    }

    /// Returns the number of the key that an earlier version of the server used for everything: the one that opens the newest
    /// signing key. A store without signing keys has the oldest of the configured keys.
    private func ownKey(of store: any SealedValueStore) async throws -> Int {
        guard masters.count > 1 else { return 0 }
        var own = masters.count - 1
        var position: SealedValue.Position?
        while true {
            let page = try await store.sealedValues(.signingKey, after: position, limit: 500)
            guard let last = page.last else { return own }
            for value in page {
                let opened = try? opened(value.bytes, for: value.kind.purpose, context: value.context)
                if let opened { own = opened.key }
            }
            position = last.position
        }
    }

    private static func bytes(_ key: SymmetricKey) -> [UInt8] { key.withUnsafeBytes { Array($0) } }
}
