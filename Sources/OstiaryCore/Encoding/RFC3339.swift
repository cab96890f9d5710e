package import Foundation

/// Times as text, by the grammar of RFC 3339 §5.6 and nothing else of ISO 8601.
package enum RFC3339 {
    /// The maximum length of a text, in bytes: nine digits of a second.
    private static let maximumBytes = 35

    /// Returns a time in UTC; milliseconds are written unless they are zero. A time outside the years 0 to 9999 is moved
    /// to their beginning or end.
    package static func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSince1970
        guard !seconds.isNaN else { return text(milliseconds: 0) }
        let kept = min(max(seconds, Double(earliest)), Double(latest))
        return text(milliseconds: Int((kept * 1000).rounded()))
    }

    private static func text(milliseconds: Int) -> String {
        let (seconds, fraction) = (
            floorDivide(milliseconds, 1000), milliseconds - floorDivide(milliseconds, 1000) * 1000
        )
        let (days, time) = (floorDivide(seconds, 86_400), seconds - floorDivide(seconds, 86_400) * 86_400)
        let day = civil(daysSince1970: days)
        let date = "\(padded(day.year, 4))-\(padded(day.month, 2))-\(padded(day.day, 2))"
        let clock = "\(padded(time / 3600, 2)):\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2))"
        return "\(date)T\(clock)\(fraction == 0 ? "" : ".\(padded(fraction, 3))")Z"
    }

    /// Returns the time of a text; nil for text that does not match the grammar, for a day that does not exist, and for
    /// a leap second. A fraction is cut to milliseconds.
    package static func date(_ text: String) -> Date? {
        milliseconds(text).map { Date(timeIntervalSince1970: Double($0) / 1000) }
    }

    /// Returns the same time in UTC as ``text(_:)`` writes it; nil for text that ``date(_:)`` does not read.
    package static func canonical(_ text: String) -> String? { milliseconds(text).map { self.text(milliseconds: $0) } }

    private static func milliseconds(_ text: String) -> Int? {
        guard (20...maximumBytes).contains(text.utf8.count) else { return nil }
        var reader = Digits(bytes: Array(text.utf8))
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
            let day = reader.number(2), reader.take("Tt"), let hour = reader.number(2), reader.take(":"),
            let minute = reader.number(2), reader.take(":"), let second = reader.number(2),
            (1...12).contains(month), (1...days(inMonth: month, of: year)).contains(day), hour < 24, minute < 60,
            second < 60, let fraction = reader.fraction(), let offset = reader.offset(), reader.isAtEnd
        else { return nil }
        let date = daysSince1970(year, month, day) * 86_400
        let seconds = date + hour * 3600 + minute * 60 + second - offset
        guard (earliest...latest).contains(seconds) else { return nil }
        return seconds * 1000 + fraction
    }

    /// The first second of the year 0 and the last one of 9999, since 1970.
    private static let earliest = -62_167_219_200
    private static let latest = 253_402_300_799

    private static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    private static func floorDivide(_ number: Int, _ divisor: Int) -> Int {
        number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor)
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    // The year begins in March, so that the leap day is its last, and 400 years have 146,097 days.

    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let era = floorDivide(year, 400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let days = days + 719_468
        let era = floorDivide(days, 146_097)
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * march + 2) / 5 + 1)
    }

    /// The reader of the fixed-width parts of a text.
    private struct Digits {
        let bytes: [UInt8]
        var position = 0

        var isAtEnd: Bool { position == bytes.count }
        private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

        mutating func take(_ choices: StaticString) -> Bool {
            guard let next, choices.withUTF8Buffer({ $0.contains(next) }) else { return false }
            position += 1
            return true
        }

        mutating func number(_ digits: Int) -> Int? {
            var number = 0
            for _ in 0..<digits {
                guard let byte = next, (0x30...0x39).contains(byte) else { return nil }
                number = number * 10 + Int(byte - 0x30)
                position += 1
            }
            return number
        }

        /// The fraction of a second in milliseconds; 0 where there is none.
        mutating func fraction() -> Int? {
            guard take(".") else { return 0 }
            var (milliseconds, weight, count) = (0, 100, 0)
            while let digit = number(1) {
                (milliseconds, weight, count) = (milliseconds + digit * weight, weight / 10, count + 1)
            }
            return count > 0 ? milliseconds : nil
        }

        /// The offset from UTC in seconds.
        mutating func offset() -> Int? {
            if take("Zz") { return 0 }
            let isWest = next == UInt8(ascii: "-")
            guard take("+-"), let hours = number(2), take(":"), let minutes = number(2), hours < 24, minutes < 60 else {
                return nil
            }
            return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
        }
    }
}
