#if canImport(CryptoKit) && canImport(Security)
import CryptoKit
import Foundation
import OstiaryCore

/// Keys in the Secure Enclave: a copy of the stored session is worthless on another device. Keys that are stored beside
/// the session where there is none, as in the simulator.
///
/// A key can be used from the first unlock of the device on, in the background too.
public struct SecureEnclaveSessionKeys: SessionKeyProvider {
    static let form = "secure-enclave"
    private let software = SoftwareSessionKeys()

    /// Creates a provider of such keys.
    public init() {}

    /// Creates a random key.
    public func makeKey() throws(SessionKeyProblem) -> SessionKey {
        guard SecureEnclave.isAvailable else { return try software.makeKey() }
        guard let key = try? SecureEnclave.P256.Signing.PrivateKey(),
            let publicKey = P256PublicKey(rawRepresentation: Array(key.publicKey.rawRepresentation))
        else { throw .unavailable }
        return SessionKey(
            form: Self.form, publicKey: publicKey, representation: Secret(Array(key.dataRepresentation)))
    }

    /// Returns the signature of some bytes.
    ///
    /// - Throws: ``SessionKeyProblem/lost`` for a key of another device's Secure Enclave.
    public func signature(of bytes: [UInt8], by key: SessionKey) throws(SessionKeyProblem) -> [UInt8] {
        guard key.form == Self.form else { return try software.signature(of: bytes, by: key) }
        guard SecureEnclave.isAvailable,
            let key = try? SecureEnclave.P256.Signing.PrivateKey(
                dataRepresentation: Data(key.representation.reveal()))
        else { throw .lost }
        guard let signature = try? key.signature(for: Data(bytes)) else { throw .unavailable }
        return Array(signature.rawRepresentation)
    }
}
#endif
