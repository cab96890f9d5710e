import Crypto
import CryptoExtras
import Foundation
import OstiaryCore
import OstiaryEngine

/// A snapshot of an app's signing keys in the store, decrypted.
struct SigningKeySet: Sendable {
    struct Key: Sendable {
        var stored: StoredSigningKey
        var token: TokenKey
        var webKey: JSONWebKey

        func isAccepted(at now: Date) -> Bool { stored.retiresAt.map { now < $0 } ?? true }
    }

    /// All decrypted keys, the newest first.
    let keys: [Key]
    private let byKid: [String: Key]
    private let stored: [StoredSigningKey]
    private let app: AppName

    /// Decrypts the stored keys. A key that cannot be decrypted verifies no tokens; if it is the current one, creation
    /// fails.
    ///
    /// - Throws: ``TokenError/noSigningKey(app:)`` if the store has none, ``TokenError/signingKeyUnusable(app:kid:)``
    ///   if the current key cannot be decrypted.
    init(_ stored: [StoredSigningKey], of app: AppName, keyRing: KeyRing, at now: Date) throws {
        let newestFirst = stored.sorted { ($0.createdAt, $0.kid) > ($1.createdAt, $1.kid) }
        keys = newestFirst.compactMap { try? Key(opening: $0, keyRing: keyRing) }
        byKid = Dictionary(keys.map { ($0.stored.kid, $0) }, uniquingKeysWith: { first, _ in first })
        self.stored = stored
        self.app = app
        _ = try current(at: now)
    }

    /// Returns the key that signs new tokens at `now`.
    ///
    /// - Throws: As ``init(_:of:keyRing:at:)``.
    func current(at now: Date) throws -> Key {
        guard let inUse = stored.signing(at: now) else { throw TokenError.noSigningKey(app: app) }
        guard let current = byKid[inUse.kid] else {
            throw TokenError.signingKeyUnusable(app: app, kid: inUse.kid)
        }
        return current
    }

    subscript(kid: String) -> Key? { byKid[kid] }
}

extension SigningKeySet.Key {
    /// - Throws: If the key was sealed with another `encryption_key` or for another app, or does not match its `kid`.
    init(opening stored: StoredSigningKey, keyRing: KeyRing) throws {
        let bytes = try keyRing.open(
            stored.sealedPrivateKey, for: .signingKeys, context: Self.context(app: stored.app, kid: stored.kid))
        guard let algorithm = SigningAlgorithm(rawValue: stored.algorithm) else {
            throw TokenError.signingKeyUnusable(app: stored.app, kid: stored.kid)
        }
        let token: TokenKey
        let webKey: JSONWebKey
        switch algorithm {
        case .es256:
            let key = try P256.Signing.PrivateKey(rawRepresentation: bytes)
            webKey = JSONWebKey(key.publicKey)
            token = try .es256(key, kid: webKey.kid, for: algorithm.kind)
        case .rs256:
            let key = try _RSA.Signing.PrivateKey(derRepresentation: bytes)
            webKey = try JSONWebKey(key.publicKey)
            token = try .rs256(key, kid: webKey.kid, for: algorithm.kind)
        }
        guard stored.kid == webKey.kid else {
            throw TokenError.signingKeyUnusable(app: stored.app, kid: stored.kid)
        }
        self.init(stored: stored, token: token, webKey: webKey)
    }

    /// Generates a key and seals it.
    static func make(
        _ algorithm: SigningAlgorithm = .es256, for app: AppName, keyRing: KeyRing, at now: Date
    ) throws -> StoredSigningKey {
        let webKey: JSONWebKey
        let bytes: Data
        switch algorithm {
        case .es256:
            let key = P256.Signing.PrivateKey()
            (webKey, bytes) = (JSONWebKey(key.publicKey), key.rawRepresentation)
        case .rs256:
            let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            (webKey, bytes) = (try JSONWebKey(key.publicKey), key.derRepresentation)
        }
        return StoredSigningKey(
            app: app, kid: webKey.kid, algorithm: algorithm.rawValue,
            sealedPrivateKey: try keyRing.seal(
                Array(bytes), for: .signingKeys, context: context(app: app, kid: webKey.kid)),
            createdAt: now)
    }

    private static func context(app: AppName, kid: String) -> String {
        SealedValue.Kind.signingKey.context(app.text, kid)
    }
}
