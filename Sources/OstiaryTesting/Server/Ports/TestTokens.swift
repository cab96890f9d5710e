import Foundation
import OstiaryCore
import OstiaryEngine

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// JSON Web Tokens signed with HMAC-SHA256 under the server's own key, because clients read their `iat` and `exp`.
///
/// Source: RFC 7519 §4.1, RFC 7515 §3.1.
struct TestTokens: AccessTokens, RefreshTokens {
    private static let header = Base64URL.encode(Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8))
    /// The longest token that is read; every token issued here is shorter.
    private static let maximumBytes = 4096

    private struct Claims: Codable {
        var sub: String
        var sid: String
        var gen: Int
        var iat: Int
        var exp: Int
        /// Distinguishes access tokens issued in the same second; `nil` in refresh tokens, which must be reproducible.
        var jti: String?
        var use: Use
        var cnf: Confirmation?

        /// Source: RFC 9449 §6.1.
        struct Confirmation: Codable { var jkt: String }

        enum Use: String, Codable { case access, refresh }
    }

    private let key: SymmetricKey
    private let randomBytes: @Sendable (Int) -> [UInt8]

    init(_ system: SystemDependencies) {
        key = SymmetricKey(data: Data(system.randomBytes(32)))
        randomBytes = system.randomBytes
    }

    func issue(_ grant: AccessTokenRequest) throws -> Secret<String> {
        try write(
            Claims(
                sub: grant.subject, sid: grant.session.text, gen: grant.generation, iat: Self.seconds(grant.issuedAt),
                exp: Self.seconds(grant.expiresAt), jti: Base64URL.encode(randomBytes(12)), use: .access,
                cnf: grant.boundKey.map { Claims.Confirmation(jkt: $0) }))
    }

    func read(_ token: Secret<String>, at now: Date) -> AccessTokenClaims? {
        guard let claims = claims(of: token, for: .access), let session = try? SessionID(claims.sid) else { return nil }
        let expiresAt = Date(timeIntervalSince1970: TimeInterval(claims.exp))
        guard now < expiresAt else { return nil }
        return AccessTokenClaims(
            subject: claims.sub, session: session, generation: claims.gen, expiresAt: expiresAt,
            boundKey: claims.cnf?.jkt)
    }

    func write(_ tokenClaims: RefreshTokenClaims) throws -> Secret<String> {
        try write(
            Claims(
                sub: tokenClaims.account.text, sid: tokenClaims.session.text, gen: tokenClaims.generation,
                iat: Self.seconds(tokenClaims.issuedAt), exp: Self.seconds(tokenClaims.expiresAt), jti: nil,
                use: .refresh, cnf: tokenClaims.boundKey.map { Claims.Confirmation(jkt: $0) }))
    }

    func read(_ token: Secret<String>) -> RefreshTokenContent? {
        guard let claims = claims(of: token, for: .refresh), let session = try? SessionID(claims.sid) else {
            return nil
        }
        return RefreshTokenContent(session: session, generation: claims.gen, boundKey: claims.cnf?.jkt)
    }

    private func write(_ claims: Claims) throws -> Secret<String> {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let content = "\(Self.header).\(Base64URL.encode(Array(try encoder.encode(claims))))"
        return Secret("\(content).\(Base64URL.encode(signature(of: content.utf8)))")
    }

    private func claims(of token: Secret<String>, for use: Claims.Use) -> Claims? {
        guard let jws = CompactJWS(token.reveal(), atMost: Self.maximumBytes),
            constantTimeEqual(signature(of: jws.signingInput), jws.signature),
            let claims = try? JSONDecoder().decode(Claims.self, from: Data(jws.payload)), claims.use == use
        else { return nil }
        return claims
    }

    private func signature(of content: some Sequence<UInt8>) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Data(content), using: key))
    }

    private static func seconds(_ date: Date) -> Int { Int(date.timeIntervalSince1970.rounded(.down)) }
}
