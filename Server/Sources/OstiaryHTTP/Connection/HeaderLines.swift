/// The headers of an answer as the lines that are sent, without those of the framing, which the connection adds.
///
/// No header can add another line: a name is a token, and a value has no control character but TAB.
package struct HeaderLines: Sendable {
    private(set) var bytes: [UInt8] = []

    package init() {}

    package init(_ headers: [(name: String, value: String)]) {
        for (name, value) in headers { append(name, value) }
    }

    mutating func reserveCapacity(_ capacity: Int) { bytes.reserveCapacity(capacity) }

    mutating func append(_ lines: HeaderLines) { bytes.append(contentsOf: lines.bytes) }

    /// Appends a header. One whose name is no token, or that would frame the body, is left out.
    ///
    /// - Parameter value: A control character but TAB is replaced by a space, and white space at the ends is removed.
    package mutating func append(_ name: String, _ value: String) {
        var (name, value) = (name, value)
        name.withUTF8 { name in
            guard Self.isPermitted(UnsafeRawBufferPointer(name)) else { return }
            bytes.append(contentsOf: name)
            bytes.append(UInt8(ascii: ":"))
            bytes.append(ASCII.space)
            value.withUTF8 { value in
                if Self.isLegal(UnsafeRawBufferPointer(value)) {
                    bytes.append(contentsOf: value)
                } else {
                    bytes.append(contentsOf: Self.legalized(value))
                }
            }
            bytes.append(ASCII.carriageReturn)
            bytes.append(ASCII.lineFeed)
        }
    }

    private static func isPermitted(_ name: UnsafeRawBufferPointer) -> Bool {
        guard !name.isEmpty, name.allSatisfy(ASCII.isToken) else { return false }
        switch KnownHeader(name) {
        case .contentLength, .transferEncoding, .connection, .otherProtocol: return false
        default: return true
        }
    }

    /// Source: RFC 9110 §5.5.
    private static func isLegal(_ value: UnsafeRawBufferPointer) -> Bool {
        guard let first = value.first, let last = value.last else { return true }
        return ASCII.plainPrefix(of: value) == value.count && !ASCII.isBlank(first) && !ASCII.isBlank(last)
    }

    private static func legalized(_ value: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        let plain = value.map { $0 < ASCII.space && $0 != ASCII.tab || $0 == ASCII.delete ? ASCII.space : $0 }
        guard let last = plain.lastIndex(where: { !ASCII.isBlank($0) }) else { return [] }
        return Array(plain[...last].drop(while: ASCII.isBlank))
    }
}
