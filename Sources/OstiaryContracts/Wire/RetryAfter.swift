/// The delay that an answer requests before the next attempt. Source: RFC 9110 §10.2.3.
public enum RetryAfter {
    /// The maximum delay: one day. A longer one is assumed to be a mistake and is cut to it.
    public static let maximumSeconds = 86_400

    /// Returns the delay in the `Retry-After` header, given in seconds or as a date, clamped to 0 to
    /// ``maximumSeconds``.
    ///
    /// A date is relative to the answer's own `Date`, so that a client with a wrong clock waits for the right time.
    ///
    /// - Parameter now: The current time, in seconds since 1970, for an answer without a `Date`.
    /// - Returns: Nil if there is no such header or it is malformed.
    public static func seconds(in response: WireResponse, now: Int? = nil) -> Int? {
        guard let text = response.headers["retry-after"]?.trimmingSpaces, !text.isEmpty else { return nil }
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        if text.utf8.dropFirst(isNegative ? 1 : 0).allSatisfy({ (0x30...0x39).contains($0) }) {
            // A number that overflows Int exceeds the maximum.
            return isNegative ? 0 : min(Int(text) ?? maximumSeconds, maximumSeconds)
        }
        let answered = response.headers["date"].flatMap { HTTPDate($0.trimmingSpaces, near: now)?.secondsSince1970 }
        guard let reference = answered ?? now, let date = HTTPDate(text, near: reference) else { return nil }
        return min(max(0, date.secondsSince1970 - reference), maximumSeconds)
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        let bytes = utf8.drop { $0 == 0x20 || $0 == 0x09 }
        let end = bytes.lastIndex { $0 != 0x20 && $0 != 0x09 }
        return end.map { String(Substring(bytes[...$0])) } ?? ""
    }
}
