/// A time in an HTTP header, in any of the three formats. Source: RFC 9110 §5.6.7.
public struct HTTPDate: Hashable, Sendable {
    /// The time, in seconds since 1970-01-01 00:00:00 UTC.
    public let secondsSince1970: Int

    /// Parses the value of a header.
    ///
    /// - Parameter reference: The approximate time at which the text was written, in seconds since 1970. It determines
    ///   the century in the format with a two-digit year; without it that year is between 1970 and 2069.
    /// - Returns: Nil for text of another format and for a day that does not exist.
    public init?(_ text: String, near reference: Int? = nil) {
        guard text.utf8.count <= 40, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        let date: (day: Int?, month: Substring, year: Int?)
        let time: Substring
        switch parts.count {
        case 6 where parts[5] == "GMT":
            // Sun, 06 Nov 1994 08:49:37 GMT
            guard Self.shortDays.contains(where: { parts[0] == "\($0)," }) else { return nil }
            date = (Self.number(parts[1], digits: 2), parts[2], Self.number(parts[3], digits: 4))
            time = parts[4]
        case 4 where parts[3] == "GMT":
            // Sunday, 06-Nov-94 08:49:37 GMT
            let dashed = parts[1].split(separator: "-", omittingEmptySubsequences: false)
            guard Self.longDays.contains(where: { parts[0] == "\($0)," }), dashed.count == 3 else { return nil }
            let year = Self.number(dashed[2], digits: 2).map { Self.fullYear($0, near: reference) }
            date = (Self.number(dashed[0], digits: 2), dashed[1], year)
            time = parts[2]
        case 6 where parts[2].isEmpty:
            // Sun Nov  6 08:49:37 1994
            guard Self.shortDays.contains(where: { parts[0] == $0 }) else { return nil }
            date = (Self.number(parts[3], digits: 1), parts[1], Self.number(parts[5], digits: 4))
            time = parts[4]
        case 5:
            // Sun Nov 16 08:49:37 1994
            guard Self.shortDays.contains(where: { parts[0] == $0 }) else { return nil }
            date = (Self.number(parts[2], digits: 2), parts[1], Self.number(parts[4], digits: 4))
            time = parts[3]
        default: return nil
        }
        guard let day = date.day, let year = date.year, let month = Self.months.firstIndex(where: { date.month == $0 }),
            (1...Self.days(inMonth: month, of: year)).contains(day), let seconds = Self.secondsOfDay(time)
        else { return nil }
        secondsSince1970 = Self.daysSince1970(year, month, day) * 86_400 + seconds
    }

    private static let shortDays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let longDays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func number(_ text: Substring, digits: Int) -> Int? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    private static func secondsOfDay(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { number($0, digits: 2) }
        // A leap second is written as 60.
        guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2], hour < 24,
            minute < 60, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// Returns the last year with these two digits that is at most 50 years after the reference.
    private static func fullYear(_ digits: Int, near reference: Int?) -> Int {
        let last = 50 + (reference.map(year) ?? 2019)
        return last - ((last - digits) % 100 + 100) % 100
    }

    private static func year(_ secondsSince1970: Int) -> Int {
        // The calendar's mean year; an error of days around New Year is irrelevant for a window of 50 years.
        1970 + Int((Double(secondsSince1970) / 31_556_952).rounded(.down))
    }

    private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    /// - Parameter month: The month, from 0 to 11.
    private static func days(inMonth month: Int, of year: Int) -> Int {
        month == 1 ? (isLeap(year) ? 29 : 28) : [3, 5, 8, 10].contains(month) ? 30 : 31
    }

    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let before = year - 1
        let daysBefore = before * 365 + before / 4 - before / 100 + before / 400
        return daysBefore - 719_162 + (0..<month).reduce(0) { $0 + days(inMonth: $1, of: year) } + day - 1
    }
}
