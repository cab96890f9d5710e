/// The origin and the path of a URL in the form in which equivalent URLs are equal; query and fragment are left out.
/// Source: RFC 3986 §6.2.2, §6.2.3.
public struct NormalizedURL: Hashable, Sendable {
    /// The scheme, the host and the port, which is left out if it is the scheme's own: `https://api.example.com`.
    public let origin: String
    /// The path, which is `/` at least.
    public let path: String

    /// The length limit of a URL, in bytes. A longer one is rejected before it is parsed.
    public static let maximumBytes = 4096

    /// Parses a URL.
    ///
    /// - Returns: Nil unless it is an absolute URL of `http` or `https` in printable ASCII, without user information, whose
    ///   host is a name or an address, and whose escapes are complete.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumBytes else { return nil }
        let bytes = Array(text.utf8)
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) }),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8)
        else { return nil }
        let scheme = Self.lowercased(bytes[..<colon])
        let rest = bytes[(colon + 3)...]
        let authority = rest.prefix { !"/?#".utf8.contains($0) }
        guard let usualPort = ["https": 443, "http": 80][scheme],
            let authority = Self.authority(authority, usualPort: usualPort),
            let path = Self.path(rest[rest.index(rest.startIndex, offsetBy: authority.length)...])
        else { return nil }
        origin = "\(scheme)://\(authority.text)"
        self.path = path
    }

    /// Returns `true` if both have the same bytes.
    public static func == (one: NormalizedURL, other: NormalizedURL) -> Bool {
        one.origin.utf8.elementsEqual(other.origin.utf8) && one.path.utf8.elementsEqual(other.path.utf8)
    }

    private static func authority(
        _ bytes: ArraySlice<UInt8>, usualPort: Int
    ) -> (text: String, length: Int)? {
        var host = bytes
        var port: Int?
        if bytes.first == UInt8(ascii: "[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = bytes[...end]
            guard host.count > 2, host.dropFirst().dropLast().allSatisfy(isAddressByte) else { return nil }
        } else {
            host = bytes.prefix { $0 != UInt8(ascii: ":") }
            guard !host.isEmpty, host.allSatisfy(isNameByte) else { return nil }
        }
        let rest = bytes[host.endIndex...]
        if let first = rest.first {
            let digits = rest.dropFirst()
            guard first == UInt8(ascii: ":"), digits.count <= 5, digits.allSatisfy({ (0x30...0x39).contains($0) })
            else {
                return nil
            }
            if !digits.isEmpty {
                guard let number = Int(String(decoding: digits, as: UTF8.self)), (1...65_535).contains(number) else {
                    return nil
                }
                port = number
            }
        }
        let suffix = port.map { $0 == usualPort ? "" : ":\($0)" } ?? ""
        return (lowercased(host) + suffix, bytes.count)
    }

    private static func path(_ bytes: ArraySlice<UInt8>) -> String? {
        let path = bytes.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard let plain = normalizedEscapes(path) else { return nil }
        return String(decoding: removingDotSegments(plain), as: UTF8.self)
    }

    /// Decodes escapes of unreserved characters, and writes the others in upper case. Source: RFC 3986 §6.2.2.1, §6.2.2.2.
    private static func normalizedEscapes(_ path: ArraySlice<UInt8>) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(path.count)
        var rest = path
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                output.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(PercentEncoding.digit),
                let low = rest.popFirst().flatMap(PercentEncoding.digit)
            else { return nil }
            let value = high << 4 | low
            if PercentEncoding.isUnreserved(value) {
                output.append(value)
            } else {
                let digits = Array("0123456789ABCDEF".utf8)
                output += [byte, digits[Int(high)], digits[Int(low)]]
            }
        }
        return output
    }

    /// Source: RFC 3986 §5.2.4, for a path that is empty or begins with a slash.
    private static func removingDotSegments(_ path: [UInt8]) -> [UInt8] {
        var kept: [ArraySlice<UInt8>] = []
        let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
        for (number, segment) in segments.enumerated() {
            let isLast = number == segments.count - 1
            if segment.elementsEqual(".".utf8) || segment.elementsEqual("..".utf8) {
                if segment.count == 2 { _ = kept.popLast() }
                if isLast { kept.append([]) }
            } else {
                kept.append(segment)
            }
        }
        guard !kept.isEmpty else { return [UInt8(ascii: "/")] }
        return kept.reduce(into: []) { output, segment in
            output.append(UInt8(ascii: "/"))
            output += segment
        }
    }

    private static func lowercased(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        PercentEncoding.isUnreserved(byte)
    }

    private static func isAddressByte(_ byte: UInt8) -> Bool {
        PercentEncoding.digit(byte) != nil || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
    }
}
