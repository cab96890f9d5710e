import Foundation
import Synchronization

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// The keys that are derived from one key. Each is derived once: a sign-in needs twenty, and a derivation costs two further hashes.
///
/// Source: RFC 5869 (HKDF).
final class DerivedKeys: Sendable {
    private struct Name: Hashable {
        var purpose: KeyRing.Purpose
        var app: String
    }

    /// A derived key, with the state of HMAC-SHA256 that has absorbed it.
    private struct DerivedKey {
        var key: SymmetricKey
        var authentication: HMAC<SHA256>
    }

    private let key: SymmetricKey
    private let derived = Mutex<[Name: DerivedKey]>([:])

    init(of key: SymmetricKey) { self.key = key }

    /// Returns the key of a purpose, and of an app if one is given.
    func key(for purpose: KeyRing.Purpose, app: AppName? = nil) -> SymmetricKey { derivedKey(for: purpose, app).key }

    /// Returns an authentication of no bytes yet with the key of a purpose.
    func authentication(for purpose: KeyRing.Purpose, app: AppName?) -> HMAC<SHA256> {
        derivedKey(for: purpose, app).authentication
    }

    private func derivedKey(for purpose: KeyRing.Purpose, _ app: AppName?) -> DerivedKey {
        let name = Name(purpose: purpose, app: app?.text ?? "")
        return derived.withLock { derived in
            if let known = derived[name] { return known }
            let key = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: key, info: Data("ostiary/\(purpose.rawValue)/\(name.app)".utf8), outputByteCount: 32)
            let new = DerivedKey(key: key, authentication: HMAC(key: key))
            derived[name] = new
            return new
        }
    }
}
