/// Checks of the path and query of a request, so that the joined URL stays below the base URL.
enum RequestTarget {
    /// Returns `true` if a path is empty or begins with a slash, is percent-encoded, and has no `.` or `..` segment,
    /// which an HTTP client would resolve and thereby leave the app's prefix.
    static func isPlainPath(_ path: String) -> Bool {
        guard path.isEmpty || path.hasPrefix("/") else { return false }
        guard path.utf8.allSatisfy({ isURLByte($0) && $0 != UInt8(ascii: "?") }) else { return false }
        return path.split(separator: "/").allSatisfy { segment in
            let dots = segment.lowercased().replacing("%2e", with: ".")
            return dots != "." && dots != ".."
        }
    }

    static func isPlainQuery(_ query: String) -> Bool { query.utf8.allSatisfy(isURLByte) }

    /// Accepts printable ASCII without the delimiters that a URL parser would encode or split at. Source: RFC 3986 §2.
    private static func isURLByte(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !"\"#<>\\^`{|}".utf8.contains(byte)
    }
}
