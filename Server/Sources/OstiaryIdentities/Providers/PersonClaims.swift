import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// The profile claims of a provider besides the subject. An invalid claim is treated as absent: it is only a label.
///
/// Source: OpenID Connect Core §5.1.
struct PersonClaims: Hashable, Sendable {
    var email: EmailAddress?
    /// `true` only for a JSON `true`, even at Apple, which may send it as a string.
    var isEmailVerified = false
    var preferredUsername: String?
    var fullName: PersonName?

    init(_ claims: JSON) {
        email = Self.text(claims["email"]).flatMap { try? EmailAddress($0) }
        isEmailVerified = email != nil && claims["email_verified"] == .boolean(true)
        preferredUsername = Self.text(claims["preferred_username"])
        fullName = Self.name(claims["name"])
    }

    /// Adopts from `other` what is missing here. An address and its verification status come from the same source.
    mutating func fill(from other: PersonClaims) {
        if email == nil {
            email = other.email
            isEmailVerified = other.isEmailVerified
        }
        preferredUsername = preferredUsername ?? other.preferredUsername
        fullName = fullName ?? other.fullName
    }

    func identity(issuer: String, subject: String) -> ProviderIdentity {
        ProviderIdentity(
            issuer: issuer, subject: subject, email: email, isEmailVerified: isEmailVerified,
            preferredUsername: preferredUsername, fullName: fullName)
    }

    static func name(_ json: JSON?) -> PersonName? {
        guard let name = text(json).flatMap({ try? PersonName($0) }), !name.text.isEmpty else { return nil }
        return name
    }

    /// Returns one line of at most 255 bytes.
    static func text(_ json: JSON?) -> String? {
        guard case .string(let text)? = json, ProviderSubject.isValid(text) else { return nil }
        return text
    }
}
