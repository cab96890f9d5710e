/// The right to write an account attribute.
public enum AttributeAccess: String, CaseIterable, Hashable, Sendable {
    /// The owner of the account at registration and in the profile, and administrators.
    case owner
    /// Administrators only.
    case admin
}
