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
    /// - Throws: ``SessionKeyProblem/lost`` for a key of another device's Secure Enclave; ``SessionKeyProblem/unavailable``
    ///   if the key cannot be used now, such as before the first unlock of the device.
    public func signature(of bytes: [UInt8], by key: SessionKey) throws(SessionKeyProblem) -> [UInt8] {
        guard key.form == Self.form else { return try software.signature(of: bytes, by: key) }
        guard SecureEnclave.isAvailable else { throw .lost }
        let privateKey: SecureEnclave.P256.Signing.PrivateKey
        do {
            privateKey = try SecureEnclave.P256.Signing.PrivateKey(
                dataRepresentation: Data(key.representation.reveal()))
        } catch {
            throw Self.isAboutRepresentation(error) ? .lost : .unavailable
        }
        guard let signature = try? privateKey.signature(for: Data(bytes)) else { throw .unavailable }
        return Array(signature.rawRepresentation)
    }

    /// Returns `true` if an error means that the representation is no key of this Secure Enclave. Any other error may be
    /// transient.
    private static func isAboutRepresentation(_ error: any Error) -> Bool {
        if let error = error as? CryptoKitError {
            if case .underlyingCoreCryptoError = error { return false }
            return true
        }
        let error = error as NSError
        return error.domain == tokenErrorDomain && error.code == corruptedData
    }

    /// `TKErrorDomain` and `TKError.Code.corruptedData` of CryptoTokenKit, whose errors CryptoKit passes on.
    private static let tokenErrorDomain = "CryptoTokenKit"
    private static let corruptedData = -3
}
#endif
