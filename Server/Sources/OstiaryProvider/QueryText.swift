/// Parameters as a query or a form spells them. Source: RFC 3986 §2.1, RFC 6749 appendix B.
public enum QueryText {
    /// Everything but unreserved characters is escaped.
    public static func write(_ parameters: [(name: String, value: String)]) -> String {
        parameters.map { "\(escape($0.name))=\(escape($0.value))" }.joined(separator: "&")
    }

    /// A registered URI with parameters added to the query it may have. Source: RFC 6749 §3.1.2.
    static func adding(_ parameters: [(name: String, value: String)], to uri: String) -> String {
        guard !parameters.isEmpty else { return uri }
        return uri + (uri.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + write(parameters)
    }

    private static func escape(_ text: String) -> String {
        var output: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) {
                output.append(byte)
            } else {
                output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || "-._~".utf8.contains(byte)
    }
}
