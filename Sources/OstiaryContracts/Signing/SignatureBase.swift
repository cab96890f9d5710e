/// The signature base of an HTTP message: the bytes that a signature is computed over. Source: RFC 9421 §2.5.
public enum SignatureBase {
    /// One covered component of a message.
    public struct Component: Hashable, Sendable {
        /// The identifier of the component, without quotes.
        public var name: String
        /// The value of the component, without line breaks.
        public var value: String

        /// Creates a component from its parts.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Returns the signature base for the covered components.
    ///
    /// - Parameter parameters: The list of the components and its parameters, as in `Signature-Input` after the label.
    public static func write(_ components: [Component], parameters: String) -> [UInt8] {
        var text = ""
        for component in components { text += "\"\(component.name)\": \(component.value)\n" }
        return Array("\(text)\"@signature-params\": \(parameters)".utf8)
    }
}

/// A byte sequence in a structured header field, Base64 between colons. Source: RFC 9651 §3.3.5.
enum ByteSequence {
    static func write(_ bytes: [UInt8]) -> String { ":\(Base64.encode(bytes)):" }

    /// Parses a byte sequence of `count` bytes.
    ///
    /// - Returns: Nil for any spelling other than the one that ``write(_:)`` produces.
    static func read(_ text: Substring, count: Int) -> [UInt8]? {
        guard text.utf8.count == 2 + (count + 2) / 3 * 4,
            let bytes = Base64.decode(String(text.dropFirst().dropLast())), bytes.count == count,
            write(bytes).utf8.elementsEqual(text.utf8)
        else { return nil }
        return bytes
    }
}
