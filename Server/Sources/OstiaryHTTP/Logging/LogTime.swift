import Foundation
import Synchronization

/// The times of log records. The text of a second is formatted once: most records have that of the record before.
final class LogTime: Sendable {
    private let last = Mutex<(second: Int, text: String)?>(nil)

    /// Returns a time in UTC with milliseconds, as `2026-11-26T02:25:45.123Z`. Source: RFC 3339 §5.6.
    func text(_ date: Date) -> String {
        let time = Int(exactly: (date.timeIntervalSince1970 * 1000).rounded(.down)) ?? 0
        let (second, milliseconds) = time.quotientAndRemainder(dividingBy: 1000)
        let text = last.withLock { last in
            if let last, last.second == second { return last.text }
            let text = String(
                Date(timeIntervalSince1970: Double(second)).formatted(.iso8601).dropLast(1))
            last = (second, text)
            return text
        }
        return "\(text).\(String(1000 + milliseconds).dropFirst())Z"
    }
}
