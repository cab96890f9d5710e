public import Foundation

/// Sign-ins and registrations of an app over time.
public struct AdminStatistics: AdminValue {
    /// The name of the app.
    public var app: String = ""
    /// The beginning of the first interval.
    public var from: Date = Date(timeIntervalSince1970: 0)
    /// The end of the last interval.
    public var to: Date = Date(timeIntervalSince1970: 0)
    /// The length of an interval.
    public var interval: AdminStatisticsInterval = .hour
    /// The property by which the attempts of an interval are grouped.
    public var grouping: AdminStatisticsGrouping?
    /// The intervals.
    public var items: [AdminStatisticsItem] = []
    /// The sums over all intervals.
    public var totals: AdminStatisticsTotals = AdminStatisticsTotals()

    /// The name of the value's schema.
    public static let schemaName = "Statistics"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminStatistics>] = [
        .required("app", \.app, .app),
        .required("from", \.from, .time),
        .required("to", \.to, .time),
        .required("interval", \.interval, .name),
        .nullable("by", \.grouping, .name),
        .required("items", \.items, .list(.object)),
        .required("totals", \.totals, .object),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}
}
