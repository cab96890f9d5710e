/// The media type of request and response bodies.
package enum MediaType {
    static let json = "application/json"
    private static let jsonTypes = [json]

    /// The maximum length of a media type with its parameters, in bytes, which no client of Ostiary exceeds.
    private static let maximumBytes = 256

    /// Returns `true` if a Content-Type is JSON in UTF-8. Source: RFC 9110 §8.3.
    static func isJSON(_ contentType: String?) -> Bool { isUTF8(contentType, of: jsonTypes) }

    /// Returns `true` if a Content-Type is one of these media types in UTF-8. Source: RFC 9110 §8.3.
    package static func isUTF8(_ contentType: String?, of mediaTypes: [String]) -> Bool {
        guard let contentType, contentType.utf8.count <= maximumBytes else { return false }
        // Most have no parameters.
        if mediaTypes.contains(where: { contentType.utf8.elementsEqual($0.utf8) { Self.lowercased($0) == $1 } }) {
            return true
        }
        let lowercased = contentType.utf8.map(Self.lowercased)
        var parts = lowercased.split(separator: UInt8(ascii: ";")).map(trimmed)
        guard !parts.isEmpty else { return false }
        let mediaType = parts.removeFirst()
        guard mediaTypes.contains(where: { mediaType.elementsEqual($0.utf8) }) else { return false }
        return parts.allSatisfy { part in
            !part.starts(with: "charset=".utf8) || part.elementsEqual("charset=utf-8".utf8)
                || part.elementsEqual("charset=\"utf-8\"".utf8)
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte + 0x20 : byte }

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
            guard let start = bytes.firstIndex(where: { $0 != space }) else { return nil }
            let middle = start + scheme.utf8.count
            guard middle < bytes.count, bytes[middle] == space,
                bytes[start..<middle].lazy.map({ $0 | 0x20 }).elementsEqual(scheme.utf8),
                let first = bytes[middle...].firstIndex(where: { $0 != space })
            else { return nil }
            let end = firstSpace(in: UnsafeRawBufferPointer(bytes), from: first)
            guard bytes[end...].allSatisfy({ $0 == space }) else { return nil }
            return String(decoding: bytes[first..<end], as: UTF8.self)
        }
    }

    private static let scheme = "bearer"
    private static let space = UInt8(ascii: " ")

    /// Returns the offset of the first space, or the number of the bytes. Examines eight bytes at a time.
    private static func firstSpace(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ 0x2020_2020_2020_2020
            // A high bit is set where a byte is zero; perhaps also in bytes that follow such a one.
            guard (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 == 0 else { break }
            index += 8
        }
        return bytes[index...].firstIndex(of: space) ?? bytes.endIndex
    }
}
