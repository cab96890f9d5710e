package import Foundation
package import OstiaryCore
package import OstiaryEngine

/// Access tokens as JSON Web Tokens. Source: RFC 7519, RFC 9068 (of which `client_id` is left out).
///
/// Reading is strict: only what ``issue(_:)`` could have written is accepted.
package struct JWTAccessTokens: AccessTokens {
    private let issuer: String
    private let audience: String
    private let signing: Signing
    private let randomBytes: @Sendable (Int) -> [UInt8]
    private let verified = VerifiedTokenCache()

    private enum Signing {
        case secret(TokenKey)
        case keys(SigningKeys)
    }

    /// Tokens signed with HS256.
    ///
    /// - Parameters:
    ///   - issuer: The app's base URL; `iss`, to the byte.
    ///   - audience: What tells this app's tokens from another's that has the same secret; `aud`, to the byte.
    /// - Throws: ``TokenError/secretTooShort(minimumBytes:)``.
    package init(
        issuer: String, audience: String, secret: Secret<String>, randomBytes: @escaping @Sendable (Int) -> [UInt8]
    ) throws {
        self.issuer = issuer
        self.audience = audience
        self.signing = .secret(try .hs256(secret: secret, for: .access))
        self.randomBytes = randomBytes
    }

    /// Tokens signed with ES256.
    package init(
        issuer: String, audience: String, keys: SigningKeys, randomBytes: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.issuer = issuer
        self.audience = audience
        self.signing = .keys(keys)
        self.randomBytes = randomBytes
    }

    /// The public keys as a JSON Web Key Set; nil where a shared secret signs.
    package func publicKeySet(at now: Date) async throws -> [UInt8]? {
        switch signing {
        case .secret: nil
        case .keys(let keys): try await keys.publicKeySet(at: now)
        }
    }

    /// - Throws: ``TokenError``, or what the store of the keys throws.
    package func issue(_ grant: AccessGrant) async throws -> Secret<String> {
        let claims = try AccessClaims(grant, issuer: issuer, audience: audience, id: randomBytes(16))
        let key =
            switch signing {
            case .secret(let key): key
            case .keys(let keys): try await keys.keys(at: grant.issuedAt).current.token
            }
        return Secret(try CompactToken.write(claims, signedBy: key))
    }

    package func read(_ token: Secret<String>, at now: Date) async throws -> AccessTicket? {
        let text = token.reveal()
        guard text.utf8.count <= CompactToken.maximumBytes else { return nil }
        let digest = TokenDigest(text)
        if let entry = verified.entry(for: digest) {
            guard now < entry.ticket.expiresAt, try await isAccepted(entry.kid, at: now) else {
                verified.remove(digest)
                return nil
            }
            return entry.ticket
        }
        guard let token = CompactToken(text), let key = try await key(for: token, at: now), key.signed(token),
            let claims = token.claims(AccessClaims.self),
            let ticket = claims.ticket(issuer: issuer, audience: audience, at: now)
        else { return nil }
        verified.insert(VerifiedTokenCache.Entry(ticket: ticket, kid: key.header["kid"]), for: digest)
        return ticket
    }

    private func key(for token: CompactToken, at now: Date) async throws -> TokenKey? {
        switch signing {
        case .secret(let key): return key
        case .keys(let keys):
            // A kid is a SHA-256 in base64url: anything else is made up and not worth a look into the store.
            guard let kid = token.header["kid"], Base64URL.decode(Array(kid.utf8))?.count == 32 else { return nil }
            return try await keys.key(kid, at: now)?.token
        }
    }

    private func isAccepted(_ kid: String?, at now: Date) async throws -> Bool {
        switch (signing, kid) {
        case (.secret, _): true
        case (.keys(let keys), let kid?): try await keys.keys(at: now)[kid]?.isAccepted(at: now) ?? false
        case (.keys, nil): false
        }
    }
}
