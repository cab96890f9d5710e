#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif
import Foundation
public import OstiaryCore

/// A secret that only this device knows during a sign-in through the browser, so that an attacker cannot redeem its
/// code.
///
/// Its challenge, the base64url of its SHA-256, is sent when the sign-in begins; the verifier itself when it ends.
///
/// Source: RFC 7636 §4.1.
public struct CodeVerifier: Hashable, Sendable {
    /// The verifier, 43 characters: the base64url of 32 random bytes.
    public let text: Secret<String>

    /// Creates a verifier from the system's random source.
    public init() {
        var system = SystemRandomNumberGenerator()
        self.init(using: &system)
    }

    /// Creates a verifier from a generator.
    ///
    /// - Parameter generator: A cryptographically secure generator, whose output an attacker cannot predict.
    public init(using generator: inout some RandomNumberGenerator) {
        var bytes = Data()
        for _ in 0..<4 { withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) } }
        text = Secret(Base64URL.encode(bytes))
    }

    /// The code challenge by the method S256, which may be public.
    ///
    /// Source: RFC 7636 §4.2.
    public var challenge: String { Base64URL.encode(Array(SHA256.hash(data: Data(text.reveal().utf8)))) }
}
