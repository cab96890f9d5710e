/// The state of an event endpoint.
///
/// A newer server may answer other names, which are kept.
public struct AdminEventEndpointState: RawRepresentable, Hashable, Sendable, CaseIterable {
    /// The name on the wire.
    public var rawValue: String

    /// Creates a value from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It receives events.
    public static let enabled = AdminEventEndpointState(rawValue: "enabled")
    /// It receives no events.
    public static let disabled = AdminEventEndpointState(rawValue: "disabled")

    /// The names that this version knows.
    public static let allCases: [AdminEventEndpointState] = [.enabled, .disabled]
}
