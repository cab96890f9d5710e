/// How long an answer asks its client to wait. Source: RFC 9110 §10.2.3.
public enum RetryAfter {
    /// A day. More is a mistake, and nobody waits that long for one answer.
    public static let maximumSeconds = 86_400

    /// What the header `Retry-After` says, in seconds or as a date, cut to 0 to ``maximumSeconds``.
    ///
    /// A date counts from the answer's own `Date`, so that a client whose clock is wrong waits as long as it should.
    ///
    /// - Parameter now: In seconds since 1970, for an answer without a `Date`.
    /// - Returns: Nil where nothing is said that can be understood.
    public static func seconds(in response: WireResponse, now: Int? = nil) -> Int? {
        guard let text = response.headers["retry-after"]?.trimmingSpaces, !text.isEmpty else { return nil }
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        if text.utf8.dropFirst(isNegative ? 1 : 0).allSatisfy({ (0x30...0x39).contains($0) }) {
            // More digits than an Int holds are more than the maximum.
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
