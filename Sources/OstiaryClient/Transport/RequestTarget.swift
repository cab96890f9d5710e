/// Checks what a request puts behind the base URL, so that the joined URL stays below it.
enum RequestTarget {
    /// Whether a path is empty or begins with a slash, is percent-encoded, and has no `.` or `..` segment, which an HTTP
    /// client would resolve and so leave the app's own prefix.
    static func isPlainPath(_ path: String) -> Bool {
        guard path.isEmpty || path.hasPrefix("/") else { return false }
        guard path.utf8.allSatisfy({ isURLByte($0) && $0 != UInt8(ascii: "?") }) else { return false }
        return path.split(separator: "/").allSatisfy { segment in
            let dots = segment.lowercased().replacing("%2e", with: ".")
            return dots != "." && dots != ".."
        }
    }

    static func isPlainQuery(_ query: String) -> Bool { query.utf8.allSatisfy(isURLByte) }

    /// Printable ASCII without the delimiters that a URL parser would encode or cut at. Source: RFC 3986 §2.
    private static func isURLByte(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !"\"#<>\\^`{|}".utf8.contains(byte)
    }
}
