/// The identifier that a user signs in with.
public enum Identifier: Hashable, Sendable {
    /// An email address.
    case email(EmailAddress)
    /// A phone number.
    case phoneNumber(PhoneNumber)
    /// A username. If no account has it, it is looked up as an email address.
    case username(Username)

    /// The canonical form of the identifier, used for hashing and comparison.
    public var canonical: String {
        switch self {
        case .email(let email): email.canonical
        case .phoneNumber(let number): number.e164
        case .username(let username): username.canonical
        }
    }

    /// The identifier as typed, for display.
    public var text: String {
        switch self {
        case .email(let email): email.text
        case .phoneNumber(let number): number.e164
        case .username(let username): username.text
        }
    }

    /// The field that carries the identifier.
    public var field: Field {
        switch self {
        case .email: .email
        case .phoneNumber: .phoneNumber
        case .username: .username
        }
    }
}
