/// The media type of request and response bodies.
package enum MediaType {
    static let json = "application/json"

    /// The maximum length of a media type with its parameters, in bytes, which no client of Ostiary exceeds.
    private static let maximumBytes = 256

    /// Returns `true` if a Content-Type is JSON in UTF-8. Source: RFC 9110 §8.3.
    static func isJSON(_ contentType: String?) -> Bool { isUTF8(contentType, of: [json]) }

    /// Returns `true` if a Content-Type is one of these media types in UTF-8. Source: RFC 9110 §8.3.
    package static func isUTF8(_ contentType: String?, of mediaTypes: [String]) -> Bool {
        guard let contentType, contentType.utf8.count <= maximumBytes else { return false }
        let lowercased = contentType.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
        var parts = lowercased.split(separator: UInt8(ascii: ";")).map(trimmed)
        guard !parts.isEmpty else { return false }
        let mediaType = parts.removeFirst()
        guard mediaTypes.contains(where: { mediaType.elementsEqual($0.utf8) }) else { return false }
        return parts.allSatisfy { part in
            !part.starts(with: "charset=".utf8) || part.elementsEqual("charset=utf-8".utf8)
                || part.elementsEqual("charset=\"utf-8\"".utf8)
        }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        guard let last = bytes.lastIndex(where: { !isBlank($0) }) else { return [] }
        return bytes[...last].drop(while: isBlank)
    }
}

/// The Authorization header of a request with an access token. Source: RFC 6750 §2.1.
public enum BearerToken {
    /// Returns the value of the header.
    public static func write(_ token: String) -> String { "Bearer \(token)" }

    /// Parses the value of the header.
    ///
    /// - Returns: Nil for another scheme and for any number of tokens other than one.
    public static func read(_ header: String) -> String? {
        // Operates on bytes because splitting a long token into Characters costs more than checking it.
        var header = header
        return header.withUTF8 { bytes in
            let space = UInt8(ascii: " ")
            guard let start = bytes.firstIndex(where: { $0 != space }),
                let middle = bytes[start...].firstIndex(of: space),
                bytes[start..<middle].lazy.map({ $0 | 0x20 }).elementsEqual("bearer".utf8),
                let first = bytes[middle...].firstIndex(where: { $0 != space })
            else { return nil }
            let end = bytes[first...].firstIndex(of: space) ?? bytes.endIndex
            guard bytes[end...].allSatisfy({ $0 == space }) else { return nil }
            return String(decoding: bytes[first..<end], as: UTF8.self)
        }
    }
}
