import Foundation
import Synchronization

/// The values of the `date` header. The text of a second is made once.
///
/// Source: RFC 9110 §5.6.7 and §6.6.1.
final class HTTPDateText: Sendable {
    private let last = Mutex<(second: Int, text: String)?>(nil)

    /// Returns a time as `Sun, 06 Nov 1994 08:49:37 GMT`.
    func text(_ date: Date) -> String {
        let second = Int(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0
        return last.withLock { last in
            if let last, last.second == second { return last.text }
            let text = Self.style.format(Date(timeIntervalSince1970: Double(second)))
            last = (second, text)
            return text
        }
    }

    private static let style = Date.VerbatimFormatStyle(
        format: """
            \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .padded(4)) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT
            """,
        locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian))
}
