import Foundation

/// A time in a header, in the one form that is still written. Source: RFC 9110 §5.6.7 (IMF-fixdate).
enum HTTPDate {
    /// Reads for example `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// - Returns: Nil for another form, or a day that no calendar has.
    static func read(_ text: String) -> Date? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard text.utf8.count == 29, parts.count == 6, parts[5] == "GMT", let weekday = days.firstIndex(of: parts[0]),
            let day = number(parts[1], 2), let month = months.firstIndex(of: parts[2]).map({ $0 + 1 }),
            let year = number(parts[3], 4)
        else { return nil }
        let clock = parts[4].split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, let hour = number(clock[0], 2), let minute = number(clock[1], 2),
            let second = number(clock[2], 2), hour < 24, minute < 60, second <= 60
        else { return nil }
        let date = dayNumber(year, month, day)
        // The day of the week is redundant, and so a check: the first day of 1970 was a Thursday.
        guard (1...daysIn(month, year)).contains(day), (date + 3) % 7 == weekday else { return nil }
        return Date(timeIntervalSince1970: Double(((date * 24 + hour) * 60 + minute) * 60 + second))
    }

    private static let days: [Substring] = ["Mon,", "Tue,", "Wed,", "Thu,", "Fri,", "Sat,", "Sun,"]
    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func number(_ text: Substring, _ digits: Int) -> Int? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func daysIn(_ month: Int, _ year: Int) -> Int {
        month == 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Days since 1970, in a calendar whose year begins in March, so that the leap day is its last.
    private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
