import OstiaryCore

/// The representations of values in a log line.
enum LogText {
    /// The maximum length of a part that comes from a request, in bytes.
    private static let maximumBytes = 200
    private static let beginningLength = 8

    /// Returns the text on one line and without control characters: a line break could begin a forged line, an escape
    /// sequence could control the terminal that shows it.
    static func escaped(_ text: String) -> String {
        guard !text.unicodeScalars.allSatisfy(\.isPrintable) else { return text }
        var escaped = ""
        for scalar in text.unicodeScalars {
            if scalar.isPrintable {
                escaped.unicodeScalars.append(scalar)
            } else {
                escaped += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return escaped
    }

    /// Returns the first characters of an id: enough to distinguish a few, too few to use it.
    static func beginning(of id: String) -> String {
        let scalars = id.unicodeScalars
        guard scalars.count > beginningLength else { return id }
        return String(scalars.prefix(beginningLength)) + "…"
    }

    static func path(_ path: String) -> String {
        cut(String(decoding: path.utf8.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self))
    }

    static func cut(_ text: String) -> String {
        guard text.utf8.count > maximumBytes else { return text }
        return String(decoding: text.utf8.prefix(maximumBytes), as: UTF8.self) + "…"
    }

    static func milliseconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        return "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000) ms"
    }
}
