import Crypto
import CryptoExtras
import Foundation
import OstiaryCore
import OstiaryEngine

/// A key that signs tokens and verifies its own, with the one header that those tokens carry.
struct TokenKey: Sendable {
    /// Every member of the header. A token whose header has one more, one fewer or another value is rejected: this
    /// alone excludes other algorithms, `crit`, and keys that a token brings along (`jwk`, `jku`, `x5c`, `x5u`).
    let header: [String: String]
    let encodedHeader: String
    private let algorithm: Algorithm

    private enum Algorithm {
        case hs256(SymmetricKey)
        case es256(P256.Signing.PrivateKey, P256.Signing.PublicKey)
        case rs256(_RSA.Signing.PrivateKey, _RSA.Signing.PublicKey)
    }

    /// The kinds of tokens, distinguished by `typ`, independent of the key. Source: RFC 8725 §3.11.
    enum Kind: String {
        /// Source: RFC 9068 §2.1.
        case access = "at+jwt"
        case refresh = "refresh+jwt"
        /// An ID token. Source: RFC 7519 §5.1.
        case identity = "JWT"
    }

    /// Creates an HMAC key with SHA-256. Source: RFC 7518 §3.2.
    ///
    /// - Throws: ``TokenError/secretTooShort(minimumBytes:)`` for a secret of less than 32 bytes.
    static func hs256(secret: Secret<String>, for kind: Kind) throws -> TokenKey {
        let bytes = Array(secret.reveal().utf8)
        guard bytes.count >= 32 else { throw TokenError.secretTooShort(minimumBytes: 32) }
        return try TokenKey(hs256: SymmetricKey(data: bytes), header: ["alg": "HS256", "typ": kind.rawValue])
    }

    /// Creates an ECDSA key on P-256 with SHA-256. Source: RFC 7518 §3.4.
    static func es256(_ key: P256.Signing.PrivateKey, kid: String, for kind: Kind) throws -> TokenKey {
        try TokenKey(es256: key, header: ["alg": "ES256", "kid": kid, "typ": kind.rawValue])
    }

    /// Creates an RSASSA-PKCS1-v1_5 key with SHA-256. Source: RFC 7518 §3.3.
    static func rs256(_ key: _RSA.Signing.PrivateKey, kid: String, for kind: Kind) throws -> TokenKey {
        try TokenKey(rs256: key, header: ["alg": "RS256", "kid": kid, "typ": kind.rawValue])
    }

    init(hs256 key: SymmetricKey, header: [String: String]) throws {
        self.header = header
        self.encodedHeader = Base64URL.encode(try canonicalJSON(header))
        self.algorithm = .hs256(key)
    }

    init(es256 key: P256.Signing.PrivateKey, header: [String: String]) throws {
        self.header = header
        self.encodedHeader = Base64URL.encode(try canonicalJSON(header))
        self.algorithm = .es256(key, key.publicKey)
    }

    init(rs256 key: _RSA.Signing.PrivateKey, header: [String: String]) throws {
        self.header = header
        self.encodedHeader = Base64URL.encode(try canonicalJSON(header))
        self.algorithm = .rs256(key, key.publicKey)
    }

    func sign(_ bytes: some DataProtocol) throws -> [UInt8] {
        switch algorithm {
        case .hs256(let key):
            Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
        case .es256(let key, _):
            ES256Signature.lowered(Array(try key.signature(for: bytes).rawRepresentation))
        case .rs256(let key, _):
            Array(try key.signature(for: bytes, padding: .insecurePKCS1v1_5).rawRepresentation)
        }
    }

    /// Returns `true` if the token has this key's header and a valid signature of this key.
    func signed(_ token: CompactToken) -> Bool {
        guard hasSameBytes(token.header, header) else { return false }
        switch algorithm {
        case .hs256(let key):
            return HMAC<SHA256>.isValidAuthenticationCode(
                token.signature, authenticating: token.signingInput, using: key)
        case .es256(_, let key):
            guard ES256Signature.isLow(token.signature),
                let signature = try? P256.Signing.ECDSASignature(rawRepresentation: token.signature)
            else { return false }
            return key.isValidSignature(signature, for: token.signingInput)
        case .rs256(_, let key):
            let signature = _RSA.Signing.RSASignature(rawRepresentation: token.signature)
            return key.isValidSignature(signature, for: token.signingInput, padding: .insecurePKCS1v1_5)
        }
    }
}

/// Compares bytes. `==` on strings treats canonically equivalent ones as equal, such as `K` and the Kelvin sign.
func hasSameBytes(_ one: String, _ other: String) -> Bool {
    one.utf8.elementsEqual(other.utf8)
}

private func hasSameBytes(_ one: [String: String], _ other: [String: String]) -> Bool {
    one.count == other.count
        && one.allSatisfy { name, value in
            // The expected names are plain ASCII, without letters that have a canonical equivalent.
            other[name].map { hasSameBytes($0, value) } ?? false
        }
}

/// Returns JSON with sorted keys and a single possible encoding: the same value always gives the same bytes.
func canonicalJSON(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(value))
}
