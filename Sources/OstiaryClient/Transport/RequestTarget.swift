/// Checks of the path and query of a request, so that the joined URL stays below the base URL.
enum RequestTarget {
    /// Returns `true` if a path is empty or begins with a slash, is percent-encoded, and has no `.` or `..` segment,
    /// which an HTTP client would resolve and thereby leave the app's prefix.
    static func isPlainPath(_ path: String) -> Bool {
        let bytes = path.utf8
        guard bytes.isEmpty || bytes.first == UInt8(ascii: "/") else { return false }
        guard bytes.allSatisfy({ isURLByte($0) && $0 != UInt8(ascii: "?") }) else { return false }
        return !bytes.split(separator: UInt8(ascii: "/")).contains { isDotSegment($0) }
    }

    /// Returns `true` for one or two dots, each of them also percent-encoded. Source: RFC 3986 §6.2.2.3.
    private static func isDotSegment(_ segment: Substring.UTF8View) -> Bool {
        guard let first = segment.first, first == UInt8(ascii: ".") || first == UInt8(ascii: "%"),
            segment.count <= "%2e%2e".utf8.count
        else { return false }
        let dots = Substring(segment).lowercased().replacing("%2e", with: ".")
        return dots == "." || dots == ".."
    }

    static func isPlainQuery(_ query: String) -> Bool { query.utf8.allSatisfy(isURLByte) }

    /// Accepts printable ASCII without the delimiters that a URL parser would encode or split at. Source: RFC 3986 §2.
    private static func isURLByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
            UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            false
        default: (0x21...0x7E).contains(byte)
        }
    }
}
