import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// What a provider says about a person besides who it is. What is no good is as good as absent: it is a label.
///
/// Source: OpenID Connect Core §5.1.
struct PersonClaims: Hashable, Sendable {
    var email: EmailAddress?
    /// Only a JSON `true` is one, even at Apple, which may write it as a text.
    var isEmailVerified = false
    var preferredUsername: String?
    var fullName: PersonName?

    init(_ claims: JSON) {
        email = Self.text(claims["email"]).flatMap { try? EmailAddress($0) }
        isEmailVerified = email != nil && claims["email_verified"] == .boolean(true)
        preferredUsername = Self.text(claims["preferred_username"])
        fullName = Self.name(claims["name"])
    }

    /// Takes what is missing here from `other`. An address and whether it was verified come from one place.
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

    /// One line of at most 255 bytes.
    static func text(_ json: JSON?) -> String? {
        guard case .string(let text)? = json, IDTokenCheck.isSubject(text) else { return nil }
        return text
    }
}
