public import Foundation
import OstiaryContracts
public import OstiaryCore

/// When an access token stops working, as far as its bearer can tell.
///
/// Reckoned from the moment it was received, by this machine's clock: a clock that is wrong by an hour does no harm. Where
/// the answer gives no lifetime, it is what lies between the token's `iat` and `exp`. These are read without a check of the
/// signature, which the bearer cannot make: they decide when to refresh, and nothing else.
public struct AccessTokenExpiry: Hashable, Sendable {
    public let date: Date

    /// - Returns: Nil if neither the answer nor the token says.
    public init?(_ tokens: Tokens, receivedAt now: Date) {
        let lifetime = tokens.expiresIn?.timeInterval ?? Self.lifetime(of: tokens.accessToken.reveal(), receivedAt: now)
        guard let lifetime else { return nil }
        date = now + min(max(0, lifetime), Self.maximumSeconds)
    }

    /// Ten years: more is a mistake, and no calendar is asked to hold it.
    private static let maximumSeconds: TimeInterval = 315_360_000

    private static func lifetime(of token: String, receivedAt now: Date) -> TimeInterval? {
        guard let (issued, end) = times(in: token) else { return nil }
        return end - (issued ?? now.timeIntervalSince1970)
    }

    /// What the token says itself, by its server's clock: for one whose receipt nobody noted.
    static func stated(in token: String) -> (issuedAt: Date?, end: Date)? {
        guard let (issued, end) = times(in: token), abs(end) <= 1e11 else { return nil }
        return (issued.map { Date(timeIntervalSince1970: $0) }, Date(timeIntervalSince1970: end))
    }

    /// Source: RFC 7519 §4.1.4 and §4.1.6.
    private static func times(in token: String) -> (issued: TimeInterval?, end: TimeInterval)? {
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = base64URLDecoded(Substring(parts[1])),
            let claims = try? JSON.read(payload), let end = claims.seconds("exp")
        else { return nil }
        return (claims.seconds("iat"), end)
    }

    private static func base64URLDecoded(_ text: Substring) -> [UInt8]? {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        let base64 = text.replacing("-", with: "+").replacing("_", with: "/") + padding
        return Data(base64Encoded: String(base64)).map { Array($0) }
    }
}

extension JSON {
    /// A NumericDate, which may have a fraction.
    fileprivate func seconds(_ name: String) -> TimeInterval? {
        switch self[name] {
        case .integer(let seconds): TimeInterval(seconds)
        case .number(let seconds): seconds
        default: nil
        }
    }
}
