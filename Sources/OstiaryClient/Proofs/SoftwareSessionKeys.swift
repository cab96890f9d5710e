import Foundation
import OstiaryCore

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// Keys that are stored beside the session they belong to: a copy of the stored session contains the key.
///
/// They protect tokens that leak on the way, from a log or from a server. They do not protect a stored session.
public struct SoftwareSessionKeys: SessionKeyProvider {
    static let form = "p256"

    /// Creates a provider of such keys.
    public init() {}

    /// Creates a random key.
    public func makeKey() throws(SessionKeyProblem) -> SessionKey {
        let key = P256.Signing.PrivateKey()
        guard let publicKey = P256PublicKey(rawRepresentation: Array(key.publicKey.rawRepresentation)) else {
            throw .unavailable
        }
        return SessionKey(
            form: Self.form, publicKey: publicKey, representation: Secret(Array(key.rawRepresentation)))
    }

    /// Returns the signature of some bytes.
    ///
    /// - Throws: ``SessionKeyProblem/lost`` for a key of another form.
    public func signature(of bytes: [UInt8], by key: SessionKey) throws(SessionKeyProblem) -> [UInt8] {
        guard key.form == Self.form,
            let key = try? P256.Signing.PrivateKey(rawRepresentation: key.representation.reveal())
        else { throw .lost }
        guard let signature = try? key.signature(for: Data(bytes)) else { throw .unavailable }
        return Array(signature.rawRepresentation)
    }
}
