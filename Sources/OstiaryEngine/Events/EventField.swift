/// A field of an account that an endpoint's events include in full. By default they have ids and a masked identifier alone.
public enum EventField: String, CaseIterable, Codable, Hashable, Sendable {
    /// The email address, with `email_verified`.
    case email
    /// The username.
    case username
    /// The phone number, with `phone_number_verified` where that is known.
    case phoneNumber = "phone_number"
    /// The owner's name.
    case fullName = "full_name"
    /// The attributes, those that their owner does not see too.
    case attributes
    /// The assigned roles with their scopes.
    case roles
}
