import Foundation
import OstiaryEngine

extension ColumnReader {
    /// Reads the interval, the series, the method, the factor, the outcome and the sum; nil for a series of a newer version.
    mutating func hourlyCount(of app: AppName) throws -> HourlyCount? {
        let start = try date()
        let series = HourlyCount.Series(rawValue: try text())
        let (method, factor, outcome) = (try text(), try text(), try text())
        let count = Int(try integer())
        guard let series else { return nil }
        return HourlyCount(
            HourlyCount.Key(app: app, at: start, series: series, method: method, factor: factor, outcome: outcome),
            count: count)
    }

    /// Reads the first day of a period and the number of accounts.
    mutating func activeAccounts() throws -> (CalendarDay, Int) {
        (CalendarDay(number: Int(try integer())), Int(try integer()))
    }
}
