import Foundation
package import OstiaryCore
package import OstiaryEngine

/// Refresh tokens as JSON Web Tokens, signed with HS256 and a secret of their own.
package struct JWTRefreshTokens: RefreshTokens {
    private let issuer: String
    private let audience: String
    private let key: TokenKey
    /// The keys that verify only.
    private let earlierKeys: [TokenKey]

    /// - Parameter earlier: Secrets whose tokens are accepted too.
    /// - Throws: ``TokenError/secretTooShort(minimumBytes:)`` for a secret of less than 32 bytes.
    package init(
        issuer: String, audience: String, secret: Secret<String>, earlier: [Secret<String>] = []
    ) throws {
        self.issuer = issuer
        self.audience = audience
        self.key = try .hs256(secret: secret, for: .refresh)
        earlierKeys = try earlier.map { try .hs256(secret: $0, for: .refresh) }
    }

    private struct Claims: Codable {
        static let use = "refresh"

        var iss: String
        var aud: String
        var sub: String
        var sid: String
        var gen: Int
        var iat: Int
        var exp: Int
        var tokenUse: String
        var cnf: Confirmation?

        enum CodingKeys: String, CodingKey {
            case iss, aud, sub, sid, gen, iat, exp, cnf
            case tokenUse = "token_use"
        }
    }

    package func write(_ tokenClaims: RefreshTokenClaims) throws -> Secret<String> {
        let claims = Claims(
            iss: issuer, aud: audience, sub: tokenClaims.account.text, sid: tokenClaims.session.text,
            gen: tokenClaims.generation,
            iat: try numericDate(tokenClaims.issuedAt), exp: try numericDate(tokenClaims.expiresAt),
            tokenUse: Claims.use, cnf: tokenClaims.boundKey.map { Confirmation(jkt: $0) })
        return Secret(try CompactToken.write(claims, signedBy: key))
    }

    package func read(_ token: Secret<String>) -> RefreshTokenContent? {
        guard let token = CompactToken(token.reveal()), ([key] + earlierKeys).contains(where: { $0.signed(token) }),
            let claims = token.claims(Claims.self),
            hasSameBytes(claims.iss, issuer), hasSameBytes(claims.aud, audience), claims.tokenUse == Claims.use,
            claims.gen >= 0, let session = try? SessionID(claims.sid)
        else { return nil }
        return RefreshTokenContent(session: session, generation: claims.gen, boundKey: claims.cnf?.jkt)
    }
}
