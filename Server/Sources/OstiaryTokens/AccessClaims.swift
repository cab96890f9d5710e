import Foundation
import OstiaryCore
import OstiaryEngine

/// What an access token says. Source: RFC 9068 §2.2; `sid`, `gen` and `token_use` are ours.
struct AccessClaims: Codable {
    static let use = "access"
    /// How far ahead of ours the clock of the node that made a token may be.
    static let clockDifferenceSeconds = 60

    var iss: String
    var aud: String
    var sub: String
    var sid: String
    var gen: Int
    var jti: String
    var iat: Int
    var exp: Int
    var nbf: Int?
    var tokenUse: String
    var authProvider: String?
    var email: String?
    var name: String?
    var scope: String?

    enum CodingKeys: String, CodingKey {
        case iss, aud, sub, sid, gen, jti, iat, exp, nbf
        case tokenUse = "token_use"
        case authProvider = "auth_provider"
        case email, name, scope
    }

    /// - Throws: ``TokenError/timeOutOfRange``.
    init(_ grant: AccessGrant, issuer: String, audience: String, id: [UInt8]) throws {
        iss = issuer
        aud = audience
        sub = grant.subject
        sid = grant.session.text
        gen = grant.generation
        jti = Base64URL.encode(id)
        iat = try numericDate(grant.issuedAt)
        exp = try numericDate(grant.expiresAt)
        tokenUse = Self.use
        authProvider = grant.authProvider
        email = grant.email
        name = grant.name
        scope = grant.scope
    }

    /// What the claims allow at `now`; nil if they are not for this app, not yet or no longer valid.
    ///
    /// A token is over at `exp` to the second: its maker's clock and its reader's are one server's.
    func ticket(issuer: String, audience: String, at now: Date) -> AccessTicket? {
        guard hasSameBytes(iss, issuer), hasSameBytes(aud, audience), tokenUse == Self.use, gen >= 0,
            let seconds = try? numericDate(now), exp > seconds,
            iat <= seconds + Self.clockDifferenceSeconds, (nbf ?? iat) <= seconds + Self.clockDifferenceSeconds,
            let session = try? SessionID(sid)
        else { return nil }
        return AccessTicket(
            subject: sub, session: session, generation: gen,
            expiresAt: Date(timeIntervalSince1970: TimeInterval(exp)), scope: scope)
    }
}

/// Whole seconds since 1970, rounded down. Source: RFC 7519 §2, NumericDate.
///
/// - Throws: ``TokenError/timeOutOfRange`` beyond what JSON numbers hold exactly.
func numericDate(_ date: Date) throws -> Int {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    guard abs(seconds) < 9_007_199_254_740_992, let whole = Int(exactly: seconds) else {
        throw TokenError.timeOutOfRange
    }
    return whole
}
