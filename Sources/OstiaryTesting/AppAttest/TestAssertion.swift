import Foundation
import OstiaryWebAuthn

#if canImport(CryptoKit)
package import CryptoKit
#else
package import Crypto
#endif

/// The parts of an assertion, for tests that change one of them.
package struct TestAssertion: Sendable {
    package var appIDHash: [UInt8]
    package var flags: UInt8 = 0x40
    package var counter: UInt32
    /// The bytes after the counter.
    package var extensions: [UInt8] = []
    package var clientDataHash: [UInt8]

    package init(appID: String, counter: UInt32, clientDataHash: [UInt8]) {
        appIDHash = Array(SHA256.hash(data: Array(appID.utf8)))
        self.counter = counter
        self.clientDataHash = clientDataHash
    }

    static func header(_ appIDHash: [UInt8], _ flags: UInt8, _ counter: UInt32) -> [UInt8] {
        appIDHash + [flags] + (0..<4).reversed().map { UInt8(truncatingIfNeeded: counter >> (8 * $0)) }
    }

    package var authenticatorData: [UInt8] { Self.header(appIDHash, flags, counter) + extensions }

    /// The message that the key signs.
    package var nonce: [UInt8] { Array(SHA256.hash(data: authenticatorData + clientDataHash)) }

    /// Returns the assertion, signed by a key.
    package func encoded(by key: P256.Signing.PrivateKey) throws -> [UInt8] {
        Self.encoded(signature: Array(try key.signature(for: nonce).derRepresentation), authenticatorData)
    }

    /// Returns an assertion with any signature.
    package static func encoded(signature: [UInt8], _ authenticatorData: [UInt8]) -> [UInt8] {
        CBOR.map([
            .init(.text("signature"), .bytes(signature)),
            .init(.text("authenticatorData"), .bytes(authenticatorData)),
        ]).encoded
    }
}
