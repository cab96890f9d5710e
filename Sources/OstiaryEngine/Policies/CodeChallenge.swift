public import OstiaryCore

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// The challenge of a code verifier by the method S256. Other methods are not supported: `plain` protects nothing.
///
/// Source: RFC 7636 §4.1, §4.2.
public enum CodeChallenge {
    /// Returns the challenge of a verifier, which may be sent over an untrusted channel.
    public static func s256(of verifier: Secret<String>) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Array(verifier.reveal().utf8))))
    }

    /// Returns `true` if the text has the form of a challenge: the base64url of 32 bytes.
    public static func isWellFormed(_ challenge: String) -> Bool {
        challenge.utf8.count == 43 && Base64URL.decode(challenge.utf8)?.count == 32
    }

    /// Returns `true` if `challenge` was derived from `verifier` and the verifier is 43 to 128 unreserved characters.
    /// Compares in constant time.
    public static func matches(_ challenge: String, verifier: Secret<String>) -> Bool {
        let bytes = Array(verifier.reveal().utf8)
        guard (43...128).contains(bytes.count), bytes.allSatisfy(PercentEncoding.isUnreserved) else { return false }
        return constantTimeEqual(Array(s256(of: verifier).utf8), Array(challenge.utf8))
    }
}
