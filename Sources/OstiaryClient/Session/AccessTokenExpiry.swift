public import Foundation
import OstiaryContracts
public import OstiaryCore

/// The end of an access token's life, as far as its bearer can determine it.
///
/// Computed from the moment the token was received, by this machine's clock, so a clock that is wrong by an hour does
/// no harm. If the response states no lifetime, the lifetime is the difference between the token's `iat` and `exp`, or
/// between its receipt and `exp` if there is no `iat`. These claims are read without verifying the signature, which the
/// bearer cannot do; they decide when to refresh and nothing else.
public struct AccessTokenExpiry: Hashable, Sendable {
    /// The moment the token expires, by this machine's clock; at most ten years after its receipt.
    public let date: Date

    /// Determines the expiry of tokens that have just been received.
    ///
    /// - Parameters:
    ///   - tokens: The tokens of the server's response.
    ///   - now: The moment they were received, by this machine's clock.
    /// - Returns: `nil` if neither the response nor the access token states a lifetime.
    public init?(_ tokens: Tokens, receivedAt now: Date) {
        let lifetime = tokens.expiresIn?.timeInterval ?? Self.lifetime(of: tokens.accessToken.reveal(), receivedAt: now)
        guard let lifetime else { return nil }
        date = now + min(max(0, lifetime), Self.maximumSeconds)
    }

    /// Ten years. A longer lifetime is treated as an error of the server, and is out of range for calendar arithmetic.
    private static let maximumSeconds: TimeInterval = 315_360_000

    private static func lifetime(of token: String, receivedAt now: Date) -> TimeInterval? {
        guard let (issued, end) = times(in: token) else { return nil }
        return end - (issued ?? now.timeIntervalSince1970)
    }

    /// Returns the times that the token itself states, by its server's clock. For a token whose time of receipt is not
    /// known.
    ///
    /// - Returns: `nil` if the token is no JWT with an `exp`, or if the `exp` is out of range.
    static func stated(in token: String) -> (issuedAt: Date?, end: Date)? {
        guard let (issued, end) = times(in: token), abs(end) <= 1e11 else { return nil }
        return (issued.map { Date(timeIntervalSince1970: $0) }, Date(timeIntervalSince1970: end))
    }

    /// Reads the claims `iat` and `exp`. Source: RFC 7519 §4.1.4 and §4.1.6.
    private static func times(in token: String) -> (issued: TimeInterval?, end: TimeInterval)? {
        guard let payload = CompactJWS(token)?.payload, let claims = try? JSON.read(payload),
            let end = claims.seconds("exp")
        else { return nil }
        return (claims.seconds("iat"), end)
    }
}

extension JSON {
    /// Returns a NumericDate claim in seconds since 1970; it may have a fraction.
    fileprivate func seconds(_ name: String) -> TimeInterval? {
        switch self[name] {
        case .integer(let seconds): TimeInterval(seconds)
        case .number(let seconds): seconds
        default: nil
        }
    }
}
