public import Foundation

/// A day in UTC, in which active accounts are counted.
public struct CalendarDay: Hashable, Comparable, Sendable {
    /// The number of days since 1 January 1970.
    public let number: Int

    /// Creates a day from its number.
    public init(number: Int) { self.number = number }

    /// Creates the day of a time.
    public init(containing time: Date) {
        number = Int((Double(time.milliseconds) / Self.milliseconds).rounded(.down))
    }

    /// The first moment of the day.
    public var start: Date { Date(milliseconds: Int64(number) * Int64(Self.milliseconds)) }

    /// The Monday of the day's week. Source: ISO 8601.
    public var startOfWeek: CalendarDay {
        // 1 January 1970 was a Thursday.
        let daysSinceMonday = ((number + 3) % 7 + 7) % 7
        return CalendarDay(number: number - daysSinceMonday)
    }

    /// The first day of the day's month.
    public var startOfMonth: CalendarDay { CalendarDay(number: number - dayOfMonth + 1) }

    /// The day `count` days later.
    public func advanced(by count: Int) -> CalendarDay { CalendarDay(number: number + count) }

    /// Compares two days by their order in time.
    public static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.number < right.number }

    private static let milliseconds = 86_400_000.0

    /// The day's number in its month, from 1. Arithmetic, because a calendar of the system costs a lock and an allocation
    /// on every sign-in. Counts days from 1 March of year 0, so that the leap day is the last of a year.
    private var dayOfMonth: Int {
        let daysPerEra = 146_097
        let day = number + 719_468
        let dayOfEra = ((day % daysPerEra) + daysPerEra) % daysPerEra
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        return dayOfYear - (153 * month + 2) / 5 + 1
    }
}
