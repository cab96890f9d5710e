import Foundation
import OstiaryEngine

/// A month of audit events, in UTC, and its table.
struct AuditMonth: Hashable, Sendable {
    /// Months since January of the year 0.
    let index: Int

    init(index: Int) { self.index = index }

    init(containing date: Date) {
        let parts = Self.calendar.dateComponents([.year, .month], from: date)
        index = (parts.year ?? 1970) * 12 + (parts.month ?? 1) - 1
    }

    /// - Returns: Nil if it is not the name of a month's table.
    init?(table: String) {
        let parts = table.split(separator: "_")
        guard parts.count == 4, let year = Int(parts[2]), let month = Int(parts[3]), (1...12).contains(month) else {
            return nil
        }
        index = year * 12 + month - 1
        guard table == self.table else { return nil }
    }

    var table: String {
        let (year, month) = index.quotientAndRemainder(dividingBy: 12)
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "audit_event_\(padded(year, 4))_\(padded(month + 1, 2))"
    }

    /// The first millisecond of the month.
    var start: Int64 {
        let (year, month) = index.quotientAndRemainder(dividingBy: 12)
        let date = Self.calendar.date(from: DateComponents(year: year, month: month + 1, day: 1))
        return (date ?? .distantPast).milliseconds
    }

    /// The first millisecond of the next month.
    var end: Int64 { AuditMonth(index: index + 1).start }

    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()
}
