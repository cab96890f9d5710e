import Crypto
import OstiaryCore

/// The accepted signature algorithms of upstream tokens: asymmetric ones. `none` and HMAC are not cases, so that no
/// header can request them. Source: RFC 7518 §3.1, RFC 8725 §3.1.
enum SignatureAlgorithm: String, Sendable, CaseIterable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"

    /// Returns the left half of the hash by the algorithm's own function, as in `at_hash`. Source: OpenID Connect Core
    /// §3.1.3.6.
    func halfHash(of text: String) -> String {
        let bytes = Array(text.utf8)
        let digest: [UInt8] =
            switch self {
            case .rs256, .ps256, .es256: Array(SHA256.hash(data: bytes))
            case .rs384, .ps384, .es384: Array(SHA384.hash(data: bytes))
            case .rs512, .ps512, .es512: Array(SHA512.hash(data: bytes))
            }
        return Base64URL.encode(digest.prefix(digest.count / 2))
    }
}
