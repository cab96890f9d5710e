/// The signature algorithm of a set of signing keys. The raw value is the JOSE name and is stored with each key.
/// Source: RFC 7518 §3.1.
package enum SigningAlgorithm: String, Sendable {
    /// ECDSA on P-256: small and fast, for tokens that only this server reads.
    case es256 = "ES256"
    /// RSA with 2048 bits, for ID tokens: the one algorithm that every client supports. Source: OpenID Connect Core
    /// §15.1.
    case rs256 = "RS256"

    /// The kind of token that keys of the algorithm sign, so that a key never signs two kinds.
    var kind: TokenKey.Kind {
        switch self {
        case .es256: .access
        case .rs256: .identity
        }
    }
}
