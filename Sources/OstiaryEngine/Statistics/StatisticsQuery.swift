public import Foundation

/// A question for the statistics of one app.
public struct StatisticsQuery: Hashable, Sendable {
    /// The beginning of the range, lowered to the beginning of an interval.
    public var from: Date
    /// The end of the range, which does not belong to it, raised to the end of an interval.
    public var to: Date
    /// The width of the report's intervals.
    public var interval: StatisticsInterval
    /// The property by which the attempts of each interval are divided; `nil` for none.
    public var grouping: StatisticsGrouping?

    /// Creates a query.
    public init(from: Date, to: Date, interval: StatisticsInterval = .day, grouping: StatisticsGrouping? = nil) {
        self.from = from
        self.to = to
        self.interval = interval
        self.grouping = grouping
    }

    /// The query with whole intervals.
    var aligned: StatisticsQuery {
        StatisticsQuery(
            from: interval.start(of: from), to: interval.end(before: to), interval: interval, grouping: grouping)
    }

    /// The number of intervals in an aligned query.
    var count: Int { Int(to.timeIntervalSince(from).rounded()) / interval.seconds }
}
