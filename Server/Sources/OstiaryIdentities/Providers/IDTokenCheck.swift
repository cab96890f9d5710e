import Crypto
import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// What the claims of an ID token must be. A pure check: the signature is the key's part, the time is given.
///
/// Source: OpenID Connect Core §3.1.3.7; RFC 8725 §3.
struct IDTokenCheck: Sendable {
    /// What `iss` may be, to the byte.
    var issuers: [String]
    /// Our client ids: one of them must be among `aud`.
    var audiences: [String]
    var nonce: Nonce
    /// What came with the token, for `at_hash`.
    var accessToken: Secret<String>?

    /// How far the other's clock may be from ours.
    static let leewaySeconds: TimeInterval = 60

    enum Nonce: Sendable {
        case exactly(Secret<String>)
        /// Or its SHA-256 in lower-case hexadecimal digits, as Apple's libraries have it.
        case orItsHash(Secret<String>)
    }

    /// What is wrong with a token, for the log: whoever presents one is told nothing.
    enum Problem: String, Error, Hashable, Sendable {
        /// It is no signed token of a kind and an algorithm that is taken.
        case form
        /// The issuer publishes no key that it could be signed with.
        case key
        case signature
        case issuer = "iss"
        case audience = "aud"
        case authorizedParty = "azp"
        case expired = "exp"
        case issuedAt = "iat"
        case notBefore = "nbf"
        case nonce
        case accessTokenHash = "at_hash"
        case subject = "sub"
    }

    /// - Returns: The subject.
    func subject(of token: ForeignToken, at now: Date) throws(Problem) -> String {
        let claims = token.claims
        guard case .string(let issuer)? = claims["iss"], Self.isAmong(issuers, issuer) else { throw .issuer }
        try checkAudience(claims)
        try Self.checkTimes(claims, at: now.timeIntervalSince1970)
        guard case .string(let nonce)? = claims["nonce"], isExpected(nonce) else { throw .nonce }
        try checkAccessTokenHash(token)
        guard case .string(let subject)? = claims["sub"], Self.isSubject(subject) else { throw .subject }
        return subject
    }

    /// 1 to 255 bytes without control characters.
    static func isSubject(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    private func checkAudience(_ claims: JSON) throws(Problem) {
        let named: [JSON]
        switch claims["aud"] {
        case .array(let list)?: named = list
        case let one?: named = [one]
        case nil: throw .audience
        }
        var isOurs = false
        for entry in named {
            guard case .string(let audience) = entry else { throw .audience }
            if Self.isAmong(audiences, audience) { isOurs = true }
        }
        guard isOurs else { throw .audience }
        switch claims["azp"] {
        case nil: guard named.count == 1 else { throw .authorizedParty }
        case .string(let party)?: guard Self.isAmong(audiences, party) else { throw .authorizedParty }
        default: throw .authorizedParty
        }
    }

    private static func checkTimes(_ claims: JSON, at now: TimeInterval) throws(Problem) {
        guard let expires = seconds(claims["exp"]), now < expires + leewaySeconds else { throw .expired }
        guard let issued = seconds(claims["iat"]), issued <= now + leewaySeconds else { throw .issuedAt }
        if let notBefore = claims["nbf"] {
            guard let start = seconds(notBefore), start <= now + leewaySeconds else { throw .notBefore }
        }
    }

    private func isExpected(_ nonce: String) -> Bool {
        switch self.nonce {
        case .exactly(let expected): return Self.equal(nonce, expected.reveal())
        case .orItsHash(let expected):
            let hash = SHA256.hash(data: Array(expected.reveal().utf8)).map { $0 < 16 ? "0\($0.hex)" : $0.hex }.joined()
            // Both are compared whatever the first says.
            let isSame = Self.equal(nonce, expected.reveal())
            let isHash = Self.equal(nonce, hash)
            return isSame || isHash
        }
    }

    private func checkAccessTokenHash(_ token: ForeignToken) throws(Problem) {
        guard let claim = token.claims["at_hash"], let accessToken else { return }
        guard case .string(let hash) = claim, Self.equal(hash, token.algorithm.halfHash(of: accessToken.reveal()))
        else {
            throw .accessTokenHash
        }
    }

    /// Seconds since 1970, before the year 10000. A number beyond would trap when it is made an integer.
    private static func seconds(_ json: JSON?) -> TimeInterval? {
        let seconds: TimeInterval
        switch json {
        case .integer(let number)?: seconds = TimeInterval(number)
        case .number(let number)?: seconds = number
        default: return nil
        }
        return (0..<253_402_300_800).contains(seconds) ? seconds : nil
    }

    private static func isAmong(_ list: [String], _ text: String) -> Bool {
        list.contains { $0.utf8.elementsEqual(text.utf8) }
    }

    /// An empty nonce proves nothing and equals nothing.
    private static func equal(_ one: String, _ other: String) -> Bool {
        !one.utf8.isEmpty && constantTimeEqual(Array(one.utf8), Array(other.utf8))
    }
}

extension UInt8 {
    fileprivate var hex: String { String(self, radix: 16) }
}
