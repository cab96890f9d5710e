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
        /// `StreamSafeText`. `name` is nil unless the name alone can be read.
        case unreadable(name: String?)
    }

    private var rest: Substring.UTF8View
    private let plusIsSpace: Bool

    /// Creates a parser.
    ///
    /// - Parameters:
    ///   - text: A query without its question mark, or a form.
    ///   - plusIsSpace: `false` to decode `+` as itself.
    public init(_ text: Substring, plusIsSpace: Bool = true) {
        rest = text.utf8
        self.plusIsSpace = plusIsSpace
    }

    /// Creates a parser of a query without its question mark, or of a form.
    public init(_ text: String) { self.init(Substring(text)) }

    /// Returns the next parameter; nil at the end. Empty pairs are skipped.
    public mutating func next() -> Parameter? {
        while !rest.isEmpty {
            let pair = rest.prefix { $0 != UInt8(ascii: "&") }
            rest = rest[pair.endIndex...].dropFirst()
            if !pair.isEmpty { return parameter(pair) }
        }
        return nil
    }

    private func parameter(_ pair: Substring.UTF8View) -> Parameter {
        let name = pair.prefix { $0 != UInt8(ascii: "=") }
        let value = pair[name.endIndex...].dropFirst()
        // A percent-encoded byte has at most three characters.
        guard name.count <= 3 * Self.maximumNameBytes,
            let name = PercentEncoding.decode(Substring(name), plusIsSpace: plusIsSpace),
            name.isShortASCII(atMost: Self.maximumNameBytes)
        else { return .unreadable(name: nil) }
        guard let value = PercentEncoding.decode(Substring(value), plusIsSpace: plusIsSpace) else {
            return .unreadable(name: name)
        }
        return .named(name, value: value)
    }

    /// The outcome of looking for a parameter that may occur once.
    public enum Single: Hashable, Sendable {
        /// The parameter's value, which may be empty.
        case found(String)
        /// No parameter has the name.
        case absent
        /// The parameter occurs twice, has an unreadable value, or the name of a parameter is unreadable.
        case unreadable
    }

    /// Looks for a parameter among the remaining ones. The values of other parameters need not be readable.
    ///
    /// - Parameter names: The names that the parameter can have; it may occur once, under one of them.
    public func single(_ names: Set<String>) -> Single {
        var found = Single.absent
        for parameter in self {
            switch parameter {
            case .named(let name, let value) where names.contains(name):
                guard found == .absent else { return .unreadable }
                found = .found(value)
            case .unreadable(let name) where name.map(names.contains) ?? true: return .unreadable
            case .named, .unreadable: continue
            }
        }
        return found
    }
}
