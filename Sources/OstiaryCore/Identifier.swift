/// What a person signs in with.
public enum Identifier: Hashable, Sendable {
    case email(EmailAddress)
    case phoneNumber(PhoneNumber)
    /// A username. Where it is not known as one, it is tried as an email address.
    case username(Username)

    /// One string per identifier: what hashes and comparisons are made of.
    public var canonical: String {
        switch self {
        case .email(let email): email.canonical
        case .phoneNumber(let number): number.e164
        case .username(let username): username.canonical
        }
    }

    /// As typed, for people.
    public var text: String {
        switch self {
        case .email(let email): email.text
        case .phoneNumber(let number): number.e164
        case .username(let username): username.text
        }
    }

    /// The field that carries it.
    public var field: Field {
        switch self {
        case .email: .email
        case .phoneNumber: .phoneNumber
        case .username: .username
        }
    }
}
