/// The place where a role is defined.
///
/// A newer server may answer other names, which are kept.
public struct AdminRoleSource: RawRepresentable, Hashable, Sendable, CaseIterable {
    /// The name on the wire.
    public var rawValue: String

    /// Creates a value from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The server itself.
    public static let builtIn = AdminRoleSource(rawValue: "built-in")
    /// The server's configuration.
    public static let configuration = AdminRoleSource(rawValue: "configuration")
    /// This API.
    public static let api = AdminRoleSource(rawValue: "api")

    /// The names that this version knows.
    public static let allCases: [AdminRoleSource] = [.builtIn, .configuration, .api]
}
