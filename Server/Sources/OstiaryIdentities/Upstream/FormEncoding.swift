/// The encoding of forms and queries. Source: RFC 6749 appendix B.
enum FormEncoding {
    /// Escapes everything but unreserved characters, which every decoder interprets alike.
    static func encode(_ text: String) -> String {
        var output: [UInt8] = []
        for byte in text.utf8 {
            if byte.isAlphanumeric || "-._~".utf8.contains(byte) {
                output.append(byte)
            } else {
                output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    static func encode(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
    }

    /// Returns the URL with added fields; it may have a query already.
    static func append(_ fields: [(name: String, value: String)], to url: UpstreamURL) -> String {
        "\(url.text)\(url.hasQuery ? "&" : "?")\(encode(fields))"
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}
