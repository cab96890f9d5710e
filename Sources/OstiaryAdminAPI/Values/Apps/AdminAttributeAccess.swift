/// The right to write an account attribute.
///
/// A newer server may answer other names, which are kept.
public struct AdminAttributeAccess: RawRepresentable, Hashable, Sendable, CaseIterable {
    /// The name on the wire.
    public var rawValue: String

    /// Creates a value from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The owner of the account, and administrators.
    public static let owner = AdminAttributeAccess(rawValue: "owner")
    /// Administrators only.
    public static let admin = AdminAttributeAccess(rawValue: "admin")

    /// The names that this version knows.
    public static let allCases: [AdminAttributeAccess] = [.owner, .admin]
}
