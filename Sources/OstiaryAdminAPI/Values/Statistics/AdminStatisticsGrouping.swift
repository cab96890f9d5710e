/// The property by which attempts are grouped.
///
/// A newer server may answer other names, which are kept.
public struct AdminStatisticsGrouping: RawRepresentable, Hashable, Sendable, CaseIterable {
    /// The name on the wire.
    public var rawValue: String

    /// Creates a value from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The method, such as `password`.
    public static let method = AdminStatisticsGrouping(rawValue: "method")
    /// The outcome, such as `ok`.
    public static let outcome = AdminStatisticsGrouping(rawValue: "outcome")

    /// The names that this version knows.
    public static let allCases: [AdminStatisticsGrouping] = [.method, .outcome]
}
