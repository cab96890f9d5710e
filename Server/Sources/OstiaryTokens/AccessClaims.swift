import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// The claims of an access token. Source: RFC 9068 §2.2 and §2.2.1; `sid`, `gen` and `token_use` are private claims of this
/// server.
struct AccessClaims {
    static let use = "access"
    /// The tolerated clock skew, in seconds: the issuing node's clock may be ahead of this node's by at most this much.
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
    var acr: String?
    var amr: [String]?
    var authTime: Int?
    var act: Actor?
    var cnf: Confirmation?

    /// The party that acts for the subject. Source: RFC 8693 §4.1.
    struct Actor {
        var sub: String
    }

    enum Name: String, CaseIterable {
        case iss, aud, sub, sid, gen, jti, iat, exp, nbf
        case tokenUse = "token_use"
        case authProvider = "auth_provider"
        case email, name, scope, acr, amr
        case authTime = "auth_time"
        case act, cnf
    }

    /// - Throws: ``TokenError/timeOutOfRange`` if one of the grant's dates has no exact numeric date.
    init(_ grant: AccessTokenRequest, issuer: String, audience: String, id: [UInt8]) throws {
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
        act = grant.actor.map { Actor(sub: $0) }
        cnf = grant.boundKey.map { Confirmation(jkt: $0) }
        if let authentication = grant.authentication {
            acr = authentication.level.rawValue
            // No method of RFC 8176 stands for a sign-in at an identity provider.
            amr = authentication.methods.isEmpty ? nil : authentication.methods
            authTime = try numericDate(authentication.time)
        }
    }

    /// Reads the claims that ``tokenClaims(issuer:audience:at:)`` examines; the others are those of the server's own apps.
    ///
    /// - Throws: ``ClaimSet/Problem``.
    init(_ claims: ClaimSet) throws {
        iss = try claims.text(Name.iss.rawValue)
        aud = try claims.text(Name.aud.rawValue)
        sub = try claims.text(Name.sub.rawValue)
        sid = try claims.text(Name.sid.rawValue)
        gen = try claims.integer(Name.gen.rawValue)
        jti = try claims.text(Name.jti.rawValue)
        iat = try claims.integer(Name.iat.rawValue)
        exp = try claims.integer(Name.exp.rawValue)
        nbf = try claims.optionalInteger(Name.nbf.rawValue)
        tokenUse = try claims.text(Name.tokenUse.rawValue)
        scope = try claims.optionalText(Name.scope.rawValue)
        cnf = try claims.optionalSet(Name.cnf.rawValue).map { Confirmation(jkt: try $0.text("jkt")) }
    }

    /// The claims in the order of their names, without those that are nil.
    var members: [JSON.Member] {
        let all: [(Name, JSON?)] = [
            (.acr, acr.map { .string($0) }), (.act, act.map { ["sub": .string($0.sub)] }),
            (.amr, amr.map { .array($0.map { .string($0) }) }), (.aud, .string(aud)),
            (.authProvider, authProvider.map { .string($0) }), (.authTime, authTime.map { .integer($0) }),
            (.cnf, cnf.map { ["jkt": .string($0.jkt)] }), (.email, email.map { .string($0) }), (.exp, .integer(exp)),
            (.gen, .integer(gen)), (.iat, .integer(iat)), (.iss, .string(iss)), (.jti, .string(jti)),
            (.name, name.map { .string($0) }), (.nbf, nbf.map { .integer($0) }), (.scope, scope.map { .string($0) }),
            (.sid, .string(sid)), (.sub, .string(sub)), (.tokenUse, .string(tokenUse)),
        ]
        return all.compactMap { name, value in value.map { JSON.Member(name.rawValue, $0) } }
    }

    /// Returns the claims with further ones, such as a hook's, none of which replaces one of these.
    func members(besides further: [String: ClaimValue]) -> [JSON.Member] {
        guard !further.isEmpty else { return members }
        let own = Set(Name.allCases.map(\.rawValue))
        return further.filter { !own.contains($0.key) }.sorted { $0.key < $1.key }
            .map { JSON.Member($0.key, JSON($0.value)) } + members
    }

    /// Returns the validated claims at `now`, or nil if they are for another app or of another kind, not yet valid or
    /// expired.
    ///
    /// No leeway applies to `exp`: the nodes that write and read a token are nodes of one server.
    func tokenClaims(issuer: String, audience: String, at now: Date) -> AccessTokenClaims? {
        guard hasSameBytes(iss, issuer), hasSameBytes(aud, audience), tokenUse == Self.use, gen >= 0,
            let seconds = try? numericDate(now), exp > seconds,
            iat <= seconds + Self.clockDifferenceSeconds, (nbf ?? iat) <= seconds + Self.clockDifferenceSeconds,
            let session = try? SessionID(sid)
        else { return nil }
        return AccessTokenClaims(
            subject: sub, session: session, generation: gen,
            expiresAt: Date(timeIntervalSince1970: TimeInterval(exp)), scope: scope, boundKey: cnf?.jkt)
    }
}

/// The key that a token is bound to, by its thumbprint. Source: RFC 7800 §3.1, RFC 9449 §6.1.
struct Confirmation {
    var jkt: String
}

/// Returns the whole seconds since 1970, rounded down. Source: RFC 7519 §2, NumericDate.
///
/// - Throws: ``TokenError/timeOutOfRange`` beyond the range that JSON numbers represent exactly (2^53).
func numericDate(_ date: Date) throws -> Int {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    guard abs(seconds) < 9_007_199_254_740_992, let whole = Int(exactly: seconds) else {
        throw TokenError.timeOutOfRange
    }
    return whole
}
