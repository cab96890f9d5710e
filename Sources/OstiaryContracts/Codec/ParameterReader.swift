/// Reads the parameters of a query or of a form, one after the other, in linear time.
///
/// Source: WHATWG URL §5.1 (application/x-www-form-urlencoded).
public struct ParameterReader: Sequence, IteratorProtocol {
    /// A longer name, or one beyond ASCII, is no parameter of ours: it is told apart before anything hashes it.
    public static let maximumNameBytes = 128

    public enum Parameter: Sendable {
        case named(String, value: String)
        /// A broken escape, bytes that are not UTF-8, a name that is too long or not ASCII, or a value that is not
        /// ``StreamSafeText``.
        case unreadable
    }

    private var rest: Substring.UTF8View

    public init(_ text: String) { rest = Substring(text).utf8 }

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
        // Each byte of a name takes three at most.
        guard name.count <= 3 * maximumNameBytes,
            let name = PercentEncoding.decode(Substring(name), plusIsSpace: true),
            name.isShortASCII(atMost: maximumNameBytes),
            let value = PercentEncoding.decode(Substring(value), plusIsSpace: true)
        else { return .unreadable }
        return .named(name, value: value)
    }
}
