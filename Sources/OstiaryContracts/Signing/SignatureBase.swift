/// What a signature of an HTTP message is made over. Source: RFC 9421 §2.5.
public enum SignatureBase {
    /// One covered part of a message: its name without quotes, and its value without line breaks.
    public struct Component: Hashable, Sendable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// - Parameter parameters: The list of the components and what stands after it, as in `Signature-Input` behind the label.
    public static func write(_ components: [Component], parameters: String) -> [UInt8] {
        var text = ""
        for component in components { text += "\"\(component.name)\": \(component.value)\n" }
        return Array("\(text)\"@signature-params\": \(parameters)".utf8)
    }
}

/// Bytes in a header, between colons. Source: RFC 9651 §3.3.5.
enum ByteSequence {
    static func write(_ bytes: [UInt8]) -> String { ":\(Base64.encode(bytes)):" }

    /// - Returns: Nil for any spelling of the bytes but the one that ``write(_:)`` gives.
    static func read(_ text: Substring, count: Int) -> [UInt8]? {
        guard text.utf8.count == 2 + (count + 2) / 3 * 4,
            let bytes = Base64.decode(String(text.dropFirst().dropLast())), bytes.count == count,
            write(bytes).utf8.elementsEqual(text.utf8)
        else { return nil }
        return bytes
    }
}
