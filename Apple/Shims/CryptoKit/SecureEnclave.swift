import Crypto
import Foundation

/// A Secure Enclave of this process: a key's representation is sealed with a key that no other process has.
///
/// Source: developer.apple.com/documentation/cryptokit/secureenclave.
public enum SecureEnclave {
    private static let sealing = SymmetricKey(size: .bits256)
    private static let lock = NSLock()
    // Safe: they are private, and their uses below hold the lock.
    nonisolated(unsafe) private static var isPresent = true
    nonisolated(unsafe) private static var failure: (any Error)?

    public static var isAvailable: Bool { lock.withLock { isPresent } }

    /// For tests: the simulator has no Secure Enclave.
    public static func setAvailableInShim(_ isAvailable: Bool) { lock.withLock { isPresent = isAvailable } }

    /// `TKError.corruptedData` of CryptoTokenKit.
    private static var corruptedData: NSError { NSError(domain: "CryptoTokenKit", code: -3) }

    /// For tests: the error with which a representation is not accepted; `nil` for none.
    public static func failInShim(with error: (any Error)?) { lock.withLock { failure = error } }

    public enum P256 {
        public enum Signing {
            public struct PrivateKey: Sendable {
                private let key: Crypto.P256.Signing.PrivateKey
                public let dataRepresentation: Data

                public init(compactRepresentable: Bool = true) throws {
                    guard SecureEnclave.isAvailable else { throw CryptoKitError.incorrectParameterSize }
                    key = Crypto.P256.Signing.PrivateKey(compactRepresentable: compactRepresentable)
                    let box = try AES.GCM.seal(key.rawRepresentation, using: SecureEnclave.sealing)
                    dataRepresentation = box.combined ?? Data()
                }

                public init(dataRepresentation: Data) throws {
                    guard SecureEnclave.isAvailable else { throw CryptoKitError.incorrectParameterSize }
                    if let failure = SecureEnclave.lock.withLock({ SecureEnclave.failure }) { throw failure }
                    guard let box = try? AES.GCM.SealedBox(combined: dataRepresentation),
                        let opened = try? AES.GCM.open(box, using: SecureEnclave.sealing)
                    else { throw SecureEnclave.corruptedData }
                    key = try Crypto.P256.Signing.PrivateKey(rawRepresentation: opened)
                    self.dataRepresentation = dataRepresentation
                }

                public var publicKey: Crypto.P256.Signing.PublicKey { key.publicKey }

                public func signature<D: DataProtocol>(for data: D) throws -> Crypto.P256.Signing.ECDSASignature {
                    try key.signature(for: data)
                }
            }
        }
    }
}
