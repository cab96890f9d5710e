public import Foundation

/// The width of the intervals that statistics are reported in.
public enum StatisticsInterval: String, CaseIterable, Hashable, Sendable {
    /// An hour in UTC.
    case hour
    /// A day in UTC.
    case day

    /// The duration, in seconds.
    public var seconds: Int {
        switch self {
        case .hour: 3_600
        case .day: 86_400
        }
    }

    /// The maximum number of intervals of one report: 31 days by hour, 400 by day.
    public var maximumCount: Int {
        switch self {
        case .hour: 31 * 24
        case .day: 400
        }
    }

    /// Returns the beginning of the interval that a time belongs to.
    public func start(of time: Date) -> Date { Date(milliseconds: number(of: time) * milliseconds) }

    /// Returns the end of the last interval that begins before a time.
    func end(before time: Date) -> Date {
        let start = start(of: time)
        return start == time.asStored ? start : start.addingTimeInterval(Double(seconds))
    }

    private var milliseconds: Int64 { Int64(seconds) * 1000 }

    private func number(of time: Date) -> Int64 {
        let (quotient, remainder) = time.milliseconds.quotientAndRemainder(dividingBy: milliseconds)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
