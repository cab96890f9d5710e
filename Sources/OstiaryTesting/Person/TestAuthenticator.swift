public import Foundation
import OstiaryCore
import OstiaryEngine

/// An authenticator app for tests: generates the codes of a second factor from its `otpauth:` URI. Source: RFC 6238.
public struct TestAuthenticator: Sendable {
    private let totp: TOTP

    /// Creates an authenticator from the URI that an app shows as a QR code.
    ///
    /// - Returns: Nil if the URI has no secret in base32.
    public init?(uri: String) {
        guard let items = URLComponents(string: uri)?.queryItems,
            let text = items.first(where: { $0.name == "secret" })?.value, let secret = Base32.decode(text)
        else { return nil }
        totp = TOTP(secret: secret)
    }

    /// Returns the code of the time step that contains `time`: 6 digits.
    ///
    /// A server accepts each time step once, and one step before and after its own clock.
    public func code(at time: Date) -> String { totp.code(at: TOTP.step(at: time)) }
}
