public import OstiaryCore

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// The challenge of a code verifier by the method S256. There is no other: `plain` protects nothing.
///
/// Source: RFC 7636 §4.1, §4.2.
public enum CodeChallenge {
    /// What is sent where anybody may see it.
    public static func s256(of verifier: Secret<String>) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Array(verifier.reveal().utf8))))
    }

    /// Whether this could be a challenge: the base64url of 32 bytes.
    public static func isWellFormed(_ challenge: String) -> Bool {
        challenge.utf8.count == 43 && Base64URL.decode(challenge.utf8)?.count == 32
    }

    /// Whether `verifier` is the one that `challenge` was made of: 43 to 128 unreserved characters.
    public static func matches(_ challenge: String, verifier: Secret<String>) -> Bool {
        let bytes = Array(verifier.reveal().utf8)
        guard (43...128).contains(bytes.count), bytes.allSatisfy(\.isUnreserved) else { return false }
        return constantTimeEqual(Array(s256(of: verifier).utf8), Array(challenge.utf8))
    }
}
