public import Foundation

/// Times of the admin API: RFC 3339 in UTC, with milliseconds.
public enum RFC3339 {
    /// Returns the text of a time, such as `2026-01-31T12:00:00.000Z`. A time outside the years 0 to 9999 is clamped.
    public static func text(_ date: Date) -> String {
        let bounded = min(max(date.timeIntervalSince1970, firstSecond), lastSecond)
        let milliseconds = Int((bounded * 1000).rounded())
        let seconds = Int((Double(milliseconds) / 1000).rounded(.down))
        let days = Int((Double(seconds) / 86_400).rounded(.down))
        let (year, month, day) = civil(days)
        let second = seconds - days * 86_400
        return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2) + "T" + padded(second / 3600, 2) + ":"
            + padded(second / 60 % 60, 2) + ":" + padded(second % 60, 2) + "."
            + padded(milliseconds - seconds * 1000, 3) + "Z"
    }

    /// Parses a time in UTC: `T` and `Z` in upper case, a fraction of 1 to 9 digits or none. Digits beyond milliseconds are
    /// dropped.
    ///
    /// - Returns: Nil for another form, another offset and a day that does not exist.
    public static func date(_ text: String) -> Date? {
        var rest = text.utf8[...]
        guard rest.count <= 30, let year = number(&rest, 4), take(&rest, "-"), let month = number(&rest, 2),
            take(&rest, "-"),
            let day = number(&rest, 2), take(&rest, "T"), let hour = number(&rest, 2), take(&rest, ":"),
            let minute = number(&rest, 2), take(&rest, ":"), let second = number(&rest, 2)
        else { return nil }
        var milliseconds = 0
        if take(&rest, ".") {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard (1...9).contains(digits.count) else { return nil }
            rest = rest[digits.endIndex...]
            let precise = Array(digits.prefix(3)) + [UInt8](repeating: 0x30, count: max(0, 3 - digits.count))
            milliseconds = precise.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
        // A leap second is written as 60.
        guard take(&rest, "Z"), rest.isEmpty, (1...12).contains(month), day >= 1, hour < 24, minute < 60, second <= 60
        else {
            return nil
        }
        let days = days(year, month, day)
        guard civil(days) == (year, month, day) else { return nil }
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second
        return Date(timeIntervalSince1970: Double(seconds) + Double(milliseconds) / 1000)
    }

    /// 0000-01-01 and the end of 9999, in seconds since 1970.
    private static let (firstSecond, lastSecond) = (-62_167_219_200.0, 253_402_300_799.999)

    private static func number(_ rest: inout Substring.UTF8View, _ digits: Int) -> Int? {
        let text = rest.prefix(digits)
        guard text.count == digits, text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest = rest[text.endIndex...]
        return text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func take(_ rest: inout Substring.UTF8View, _ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    /// Returns the days since 1970-01-01 in the proleptic Gregorian calendar. A year begins in March, so that the leap day is
    /// its last.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        )
    }
}
