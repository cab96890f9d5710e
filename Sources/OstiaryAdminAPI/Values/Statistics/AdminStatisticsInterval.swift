/// The length of an interval of statistics.
///
/// A newer server may answer other names, which are kept.
public struct AdminStatisticsInterval: RawRepresentable, Hashable, Sendable, CaseIterable {
    /// The name on the wire.
    public var rawValue: String

    /// Creates a value from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// One hour.
    public static let hour = AdminStatisticsInterval(rawValue: "hour")
    /// One day in UTC.
    public static let day = AdminStatisticsInterval(rawValue: "day")

    /// The names that this version knows.
    public static let allCases: [AdminStatisticsInterval] = [.hour, .day]
}
