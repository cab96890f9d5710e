/// What bodies are made of.
enum MediaType {
    static let json = "application/json"

    /// Whether a Content-Type is JSON in UTF-8. Source: RFC 9110 §8.3.
    static func isJSON(_ contentType: String?) -> Bool {
        guard let contentType else { return false }
        var parts = contentType.lowercased().split(separator: ";").map { $0.trimmingSpaces }
        guard !parts.isEmpty, parts.removeFirst() == json else { return false }
        return parts.allSatisfy { !$0.hasPrefix("charset=") || $0 == "charset=utf-8" || $0 == "charset=\"utf-8\"" }
    }
}

/// The Authorization header of a signed-in person. Source: RFC 6750 §2.1.
public enum BearerToken {
    public static func write(_ token: String) -> String { "Bearer \(token)" }

    /// - Returns: Nil for another scheme, or for anything but one token.
    public static func read(_ header: String) -> String? {
        // Bytes, since finding the Characters of a long token costs more than checking it.
        var header = header
        return header.withUTF8 { bytes in
            let parts = bytes.split(separator: UInt8(ascii: " "))
            guard parts.count == 2, String(decoding: parts[0], as: UTF8.self).lowercased() == "bearer" else {
                return nil
            }
            return String(decoding: parts[1], as: UTF8.self)
        }
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        var text = self
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}
