package import Foundation
import OstiaryContracts
package import OstiaryCore
package import OstiaryEngine

/// Access tokens as JSON Web Tokens. Source: RFC 7519, RFC 9068 (without its claim `client_id`).
///
/// Reading is strict: only the output format of ``issue(_:)`` is accepted.
package struct JWTAccessTokens: AccessTokens {
    private let issuer: String
    private let audience: String
    private let signing: Signing
    private let randomBytes: @Sendable (Int) -> [UInt8]
    private let verified = VerifiedTokenCache()

    private enum Signing {
        /// The key that signs, and those that verify only.
        case secret(TokenKey, earlier: [TokenKey])
        case keys(SigningKeys)
    }

    /// Creates access tokens that are signed with HS256.
    ///
    /// - Parameters:
    ///   - issuer: The app's base URL; compared with `iss` byte for byte.
    ///   - audience: The value that separates this app's tokens from those of another app with the same secret;
    ///     compared with `aud` byte for byte.
    ///   - earlier: Secrets whose tokens are accepted too.
    /// - Throws: ``TokenError/secretTooShort(minimumBytes:)`` for a secret of less than 32 bytes.
    package init(
        issuer: String, audience: String, secret: Secret<String>, earlier: [Secret<String>] = [],
        randomBytes: @escaping @Sendable (Int) -> [UInt8]
    ) throws {
        self.issuer = issuer
        self.audience = audience
        self.signing = .secret(
            try .hs256(secret: secret, for: .access), earlier: try earlier.map { try .hs256(secret: $0, for: .access) })
        self.randomBytes = randomBytes
    }

    /// Creates access tokens that are signed with ES256.
    package init(
        issuer: String, audience: String, keys: SigningKeys, randomBytes: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.issuer = issuer
        self.audience = audience
        self.signing = .keys(keys)
        self.randomBytes = randomBytes
    }

    /// Returns the public keys as a JSON Web Key Set; nil where tokens are signed with a shared secret.
    package func publicKeySet(at now: Date) async throws -> [UInt8]? {
        switch signing {
        case .secret: nil
        case .keys(let keys): try await keys.publicKeySet(at: now)
        }
    }

    /// - Throws: ``TokenError``, or the error of the signing key store.
    package func issue(_ grant: AccessTokenRequest) async throws -> Secret<String> {
        let claims = try AccessClaims(grant, issuer: issuer, audience: audience, id: randomBytes(16))
        let key =
            switch signing {
            case .secret(let key, _): key
            case .keys(let keys): try await keys.current(at: grant.issuedAt).token
            }
        let members = claims.members(besides: grant.furtherClaims.values)
        return Secret(try CompactToken.write(JSON.object(members).bytes, signedBy: key))
    }

    package func read(_ token: Secret<String>, at now: Date) async throws -> AccessTokenClaims? {
        let text = token.reveal()
        guard text.utf8.count <= CompactToken.maximumBytes else { return nil }
        let digest = TokenDigest(text)
        if let entry = verified.entry(for: digest, at: now) {
            guard now < entry.tokenClaims.expiresAt, try await isAccepted(entry.kid, at: now) else {
                verified.remove(digest)
                return nil
            }
            return entry.tokenClaims
        }
        guard let token = CompactToken(text), let key = try await key(for: token, at: now), key.signed(token),
            let claims = token.claims.flatMap({ try? AccessClaims($0) }),
            let tokenClaims = claims.tokenClaims(issuer: issuer, audience: audience, at: now)
        else { return nil }
        verified.insert(
            VerifiedTokenCache.Entry(tokenClaims: tokenClaims, kid: key.header["kid"]), for: digest, at: now)
        return tokenClaims
    }

    private func key(for token: CompactToken, at now: Date) async throws -> TokenKey? {
        switch signing {
        case .secret(let key, let earlier): return earlier.first { $0.signed(token) } ?? key
        case .keys(let keys):
            // A kid is a SHA-256 in base64url: any other value is forged and not worth a store access.
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
