#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif
import Foundation
public import OstiaryCore

/// A secret that only this device knows while it signs in through the browser, so that nobody else can use the code.
///
/// Its challenge, the base64url of its SHA-256, goes out when the sign-in begins; the verifier itself when it ends.
///
/// Source: RFC 7636 §4.1.
public struct CodeVerifier: Hashable, Sendable {
    /// 43 characters: the base64url of 32 random bytes.
    public let text: Secret<String>

    /// From the system's random source.
    public init() {
        var system = SystemRandomNumberGenerator()
        self.init(using: &system)
    }

    /// - Parameter generator: One whose numbers nobody can guess.
    public init(using generator: inout some RandomNumberGenerator) {
        var bytes = Data()
        for _ in 0..<4 { withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) } }
        text = Secret(bytes.base64URL)
    }

    /// What is sent where anybody may see it, by the method S256.
    ///
    /// Source: RFC 7636 §4.2.
    public var challenge: String { Data(SHA256.hash(data: Data(text.reveal().utf8))).base64URL }
}
