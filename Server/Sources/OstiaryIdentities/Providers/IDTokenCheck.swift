import Crypto
import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// The validation of an ID token's claims. A pure check: the key verifies the signature, and the time is a parameter.
///
/// Source: OpenID Connect Core §3.1.3.7; RFC 8725 §3.
struct IDTokenCheck: Sendable {
    /// The accepted values of `iss`, compared byte for byte.
    var issuers: [String]
    /// This server's client ids: one of them must be among `aud`.
    var audiences: [String]
    var nonce: Nonce
    /// The access token that came with the ID token, for `at_hash`.
    var accessToken: Secret<String>?

    /// The tolerated clock skew, in seconds.
    static let leewaySeconds: TimeInterval = 60

    enum Nonce: Sendable {
        case exactly(Secret<String>)
        /// The SHA-256 of the nonce in lower-case hexadecimal digits, which does not tell the nonce to a holder of the token.
        case hashed(Secret<String>)
        /// The nonce or its SHA-256.
        case orItsHash(Secret<String>)
    }

    /// A reason that a token was refused, for the log: the client is not told.
    enum Problem: String, Error, Hashable, Sendable {
        /// It is not a signed token of an accepted type and algorithm.
        case form
        /// The issuer publishes no key that fits the token.
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

    /// Validates the claims.
    ///
    /// - Returns: The subject.
    /// - Throws: The first check that failed.
    func subject(of token: UnverifiedToken, at now: Date) throws(Problem) -> String {
        let claims = token.claims
        guard case .string(let issuer)? = claims["iss"], Self.isAmong(issuers, issuer) else { throw .issuer }
        try checkAudience(claims)
        try Self.checkTimes(claims, at: now.timeIntervalSince1970)
        guard case .string(let nonce)? = claims["nonce"], isExpected(nonce) else { throw .nonce }
        try checkAccessTokenHash(token)
        guard case .string(let subject)? = claims["sub"], ProviderSubject.isValid(subject) else { throw .subject }
        return subject
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
        case .hashed(let expected): return Self.equal(nonce, Self.hash(of: expected))
        case .orItsHash(let expected):
            // Both comparisons always run, so that the time does not depend on the first.
            let isSame = Self.equal(nonce, expected.reveal())
            let isHash = Self.equal(nonce, Self.hash(of: expected))
            return isSame || isHash
        }
    }

    private static func hash(of nonce: Secret<String>) -> String {
        SHA256.hash(data: Array(nonce.reveal().utf8)).map { $0 < 16 ? "0\($0.hex)" : $0.hex }.joined()
    }

    private func checkAccessTokenHash(_ token: UnverifiedToken) throws(Problem) {
        guard let claim = token.claims["at_hash"], let accessToken else { return }
        guard case .string(let hash) = claim, Self.equal(hash, token.algorithm.halfHash(of: accessToken.reveal()))
        else {
            throw .accessTokenHash
        }
    }

    /// Returns seconds since 1970, before the year 10000. A larger number would trap when it is converted to an
    /// integer.
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

    /// Compares in constant time. An empty nonce proves nothing and equals nothing.
    private static func equal(_ one: String, _ other: String) -> Bool {
        !one.utf8.isEmpty && constantTimeEqual(Array(one.utf8), Array(other.utf8))
    }
}

extension UInt8 {
    fileprivate var hex: String { String(self, radix: 16) }
}
