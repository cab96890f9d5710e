import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// The ID token of a sign-in, the source of the user's identity.
///
/// Its signature is not verified: it came from Cognito itself in the answer to this server's own request, over TLS with
/// a verified certificate. Source: OpenID Connect Core 1.0 §3.1.3.7 item 6; AWS, Amazon Cognito Developer Guide,
/// "Understanding the identity (ID) token".
struct CognitoIDToken {
    private let claims: JSON
    private let subject: String

    /// The tolerated clock skew after `exp`, in seconds.
    private static let leewaySeconds = 60.0

    /// Parses a token; nil if it is malformed, expired, of another kind, of another pool or for another client.
    init?(_ token: String, of settings: CognitoSettings, at now: Date) {
        guard let token = CompactJWS(token), case .object? = try? JSON.read(token.header),
            let claims = try? JSON.read(token.payload),
            Self.text(claims["iss"], is: settings.issuer), Self.text(claims["aud"], is: settings.clientID),
            Self.text(claims["token_use"], is: "id"),
            let expiry = Self.seconds(claims["exp"]), now.timeIntervalSince1970 < expiry + Self.leewaySeconds,
            case .string(let subject)? = claims["sub"], (1...255).contains(subject.utf8.count),
            subject.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return nil }
        self.claims = claims
        self.subject = subject
    }

    /// The pool's own username: the one that the user chose, or the subject where users sign in with an email address.
    var username: String {
        guard case .string(let name)? = claims["cognito:username"], !name.isEmpty else { return subject }
        return name
    }

    func identity(from issuer: String) -> ProviderIdentity {
        ProviderIdentity(
            issuer: issuer, subject: subject,
            email: text("email").flatMap { try? EmailAddress($0) },
            isEmailVerified: claims["email_verified"] == .boolean(true),
            preferredUsername: text("preferred_username"),
            fullName: text("name").flatMap { try? PersonName($0) })
    }

    private func text(_ name: String) -> String? {
        guard case .string(let text)? = claims[name], !text.isEmpty else { return nil }
        return text
    }

    /// Compares byte for byte: `String` treats canonically equivalent texts as equal.
    private static func text(_ claim: JSON?, is expected: String) -> Bool {
        guard case .string(let text)? = claim else { return false }
        return text.utf8.elementsEqual(expected.utf8)
    }

    private static func seconds(_ claim: JSON?) -> Double? {
        switch claim {
        case .integer(let seconds)?: Double(seconds)
        case .number(let seconds)?: seconds
        default: nil
        }
    }
}
