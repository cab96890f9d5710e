import Crypto
import Foundation
import OstiaryCore
import OstiaryEngine

/// The claims of an ID token. Source: OpenID Connect Core §2, §3.1.3.6 (`at_hash`), §5.1; OpenID Connect Front-Channel
/// Logout §3 (`sid`); RFC 8176 (`amr`).
struct IDTokenClaims: Encodable {
    var iss: String
    var sub: String
    var aud: String
    var sid: String
    var iat: Int
    var exp: Int
    var authTime: Int
    var acr: String?
    var amr: [String]?
    var nonce: String?
    var atHash: String
    var name: String?
    var preferredUsername: String?
    var email: String?
    var emailVerified: Bool?

    enum CodingKeys: String, CodingKey {
        case iss, sub, aud, sid, iat, exp, acr, amr, nonce, name, email
        case authTime = "auth_time"
        case atHash = "at_hash"
        case preferredUsername = "preferred_username"
        case emailVerified = "email_verified"
    }

    /// - Throws: ``TokenError/timeOutOfRange`` if one of the grant's dates has no exact numeric date.
    init(_ grant: IDTokenGrant, issuer: String) throws {
        iss = issuer
        sub = grant.subject
        aud = grant.client
        sid = grant.session.text
        iat = try numericDate(grant.issuedAt)
        exp = try numericDate(grant.expiresAt)
        authTime = try numericDate(grant.authenticatedAt)
        acr = grant.level?.rawValue
        amr = grant.methods.isEmpty ? nil : grant.methods
        nonce = grant.nonce
        // The left half of the access token's SHA-256 hash.
        atHash = Base64URL.encode(
            Array(SHA256.hash(data: Array(grant.accessToken.reveal().utf8))).prefix(16))
        name = grant.labels.name
        preferredUsername = grant.labels.preferredUsername
        email = grant.labels.email
        emailVerified = grant.labels.isEmailVerified
    }
}
