public import Foundation

/// The period and the form of statistics.
public struct AdminStatisticsQuery: AdminValue {
    /// The name of the app.
    public var app: String = ""
    /// The beginning of the period; nil for seven days before its end.
    public var from: Date?
    /// The end of the period, which does not belong to it; nil for the present.
    public var to: Date?
    /// The length of an interval; nil for a day.
    public var interval: AdminStatisticsInterval?
    /// The property by which attempts are grouped.
    public var grouping: AdminStatisticsGrouping?

    /// The name of the value's schema.
    public static let schemaName = "StatisticsQuery"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminStatisticsQuery>] = [
        .required("app", \.app, .app),
        .optional("from", \.from, .time),
        .optional("to", \.to, .time),
        .optional("interval", \.interval, .name),
        .optional("by", \.grouping, .name),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}

    /// Creates a value from its parts.
    public init(
        _ app: String, from: Date? = nil, to: Date? = nil, interval: AdminStatisticsInterval? = nil,
        grouping: AdminStatisticsGrouping? = nil
    ) {
        self.app = app
        self.from = from
        self.to = to
        self.interval = interval
        self.grouping = grouping
    }
}
