import Foundation
import OstiaryContracts
import OstiaryCore

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// The key that an access token is bound to, as far as its bearer can read it. Source: RFC 9449 §6.1, RFC 7638.
enum BoundKey {
    /// Returns the claim `cnf.jkt` of a token, without verifying its signature.
    ///
    /// - Returns: `nil` for a token that is no JWT or is not bound.
    static func thumbprint(in token: Secret<String>) -> String? {
        guard let payload = CompactJWS(token.reveal())?.payload, let claims = try? JSON.read(payload),
            case .string(let thumbprint)? = claims["cnf"]?["jkt"]
        else { return nil }
        return thumbprint
    }

    /// Returns the thumbprint of a key.
    static func thumbprint(of key: SessionKey) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Data(key.publicKey.thumbprintInput))))
    }
}
