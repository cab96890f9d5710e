import OstiaryContracts
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

    private static let use = "refresh"

    package func write(_ tokenClaims: RefreshTokenClaims) throws -> Secret<String> {
        // In the order of their names.
        let claims: [JSON.Member?] = [
            JSON.Member("aud", .string(audience)),
            tokenClaims.boundKey.map { JSON.Member("cnf", ["jkt": .string($0)]) },
            JSON.Member("exp", .integer(try numericDate(tokenClaims.expiresAt))),
            JSON.Member("gen", .integer(tokenClaims.generation)),
            JSON.Member("iat", .integer(try numericDate(tokenClaims.issuedAt))),
            JSON.Member("iss", .string(issuer)), JSON.Member("sid", .string(tokenClaims.session.text)),
            JSON.Member("sub", .string(tokenClaims.account.text)), JSON.Member("token_use", .string(Self.use)),
        ]
        return Secret(try CompactToken.write(JSON.object(claims.compactMap(\.self)).bytes, signedBy: key))
    }

    package func read(_ token: Secret<String>) -> RefreshTokenContent? {
        guard let token = CompactToken(token.reveal()), ([key] + earlierKeys).contains(where: { $0.signed(token) }),
            let claims = token.claims
        else { return nil }
        return try? content(claims)
    }

    private func content(_ claims: ClaimSet) throws -> RefreshTokenContent? {
        let generation = try claims.integer("gen")
        guard hasSameBytes(try claims.text("iss"), issuer), hasSameBytes(try claims.text("aud"), audience),
            try claims.text("token_use") == Self.use, generation >= 0
        else { return nil }
        return RefreshTokenContent(
            session: try SessionID(claims.text("sid")), generation: generation,
            boundKey: try claims.optionalSet("cnf")?.text("jkt"))
    }
}
