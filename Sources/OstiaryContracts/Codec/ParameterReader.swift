import OstiaryCore

/// Parses the parameters of a query or a form, one at a time, in linear time.
///
/// Source: WHATWG URL §5.1 (application/x-www-form-urlencoded).
public struct ParameterReader: Sequence, IteratorProtocol {
    /// The maximum length of a name, in bytes. A longer or non-ASCII name matches no parameter, and is rejected before
    /// it is hashed.
    public static let maximumNameBytes = 128

    /// A parameter with its name and value decoded, or an unreadable one.
    public enum Parameter: Sendable {
        /// A parameter with a name in ASCII; a missing value is empty.
        case named(String, value: String)
        /// A broken escape, bytes that are not UTF-8, a name that is too long or not ASCII, or a value that is not
        /// `StreamSafeText`.
        case unreadable
    }

    private var rest: Substring.UTF8View

    /// Creates a parser for a query without its question mark, or for a form.
    public init(_ text: String) { rest = Substring(text).utf8 }

    /// Returns the next parameter; nil at the end. Empty pairs are skipped.
    public mutating func next() -> Parameter? {
        while !rest.isEmpty {
            let pair = rest.prefix { $0 != UInt8(ascii: "&") }
            rest = rest[pair.endIndex...].dropFirst()
            if !pair.isEmpty { return Self.parameter(pair) }
        }
        return nil
    }

    private static func parameter(_ pair: Substring.UTF8View) -> Parameter {
        let name = pair.prefix { $0 != UInt8(ascii: "=") }
        let value = pair[name.endIndex...].dropFirst()
        // A percent-encoded byte has at most three characters.
        guard name.count <= 3 * maximumNameBytes,
            let name = PercentEncoding.decode(Substring(name), plusIsSpace: true),
            name.isShortASCII(atMost: maximumNameBytes),
            let value = PercentEncoding.decode(Substring(value), plusIsSpace: true)
        else { return .unreadable }
        return .named(name, value: value)
    }
}
