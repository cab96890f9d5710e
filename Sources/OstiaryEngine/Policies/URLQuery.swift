/// Appends to the query of a URL without parsing it: of a redirect URI, or of one of this server's URLs.
enum URLQuery {
    /// Returns `url` with `items` at the end of its query. All but unreserved characters are percent-encoded.
    ///
    /// Source: RFC 3986 §2.1, §2.3; RFC 6749 §3.1.2 (an existing query is kept).
    static func append(_ items: [(name: String, value: String)], to url: String) -> String {
        guard !items.isEmpty else { return url }
        let query = items.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
        guard url.utf8.contains(UInt8(ascii: "?")) else { return "\(url)?\(query)" }
        let last = url.utf8.last
        let isOpen = last == UInt8(ascii: "?") || last == UInt8(ascii: "&")
        return isOpen ? url + query : "\(url)&\(query)"
    }

    private static func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if byte.isUnreserved {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}

extension UInt8 {
    /// `true` if the character is unreserved in a URI. Source: RFC 3986 §2.3.
    var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
