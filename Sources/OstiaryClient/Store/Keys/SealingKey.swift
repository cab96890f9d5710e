import Foundation
import OstiaryCore

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// A 256-bit key that seals stored sessions.
public struct SealingKey: Sendable {
    let bytes: Secret<[UInt8]>
    /// The identifier of the key in a sealed file. It is derived by HKDF and reveals nothing about the key.
    public let id: String

    /// Creates a random key from the system's random source.
    public init() { self.init(checked: SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }) }

    /// Creates a key from its bytes.
    ///
    /// - Returns: `nil` unless there are 32 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.init(checked: bytes)
    }

    /// Creates a key from its text.
    ///
    /// - Parameter text: 32 bytes in base64; white space around them is ignored.
    /// - Returns: `nil` for any other text.
    init?(text: String) {
        guard let bytes = Data(base64Encoded: text.trimmingCharacters(in: .whitespacesAndNewlines)) else { return nil }
        self.init(Array(bytes))
    }

    /// The key in base64.
    var text: Secret<String> { Secret(Data(bytes.reveal()).base64EncodedString()) }

    private init(checked bytes: [UInt8]) {
        self.bytes = Secret(bytes)
        id = Self.derived(from: bytes, for: "ostiary/sessions/key-id", count: 9).withUnsafeBytes {
            Data($0).base64EncodedString()
        }
    }

    var encryptionKey: SymmetricKey { Self.derived(from: bytes.reveal(), for: "ostiary/sessions/seal", count: 32) }

    /// Derives a key for one purpose. Source: RFC 5869 (HKDF), with SHA-256 and without a salt.
    private static func derived(from bytes: [UInt8], for purpose: String, count: Int) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: bytes), info: Data(purpose.utf8), outputByteCount: count)
    }
}

extension SealingKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A fixed text without the key.
    public var description: String { "<sealing key>" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// An empty mirror, so that no dump contains the key.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
