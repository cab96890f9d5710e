/// A period in which an account counts once as active.
public enum ActivityPeriod: String, CaseIterable, Hashable, Sendable {
    /// A day in UTC.
    case day
    /// A week in UTC, from Monday. Source: ISO 8601.
    case week
    /// A month in UTC.
    case month

    /// Returns the first day of the period that a day belongs to.
    public func start(of day: CalendarDay) -> CalendarDay {
        switch self {
        case .day: day
        case .week: day.startOfWeek
        case .month: day.startOfMonth
        }
    }

    /// Returns the periods in which an account is counted that is active on a day.
    ///
    /// - Parameter previous: The last day before on which the account was active; `nil` for none.
    public static func begun(by day: CalendarDay, after previous: CalendarDay?) -> [ActivityPeriod] {
        allCases.filter { period in previous.map { $0 < period.start(of: day) } ?? true }
    }
}
