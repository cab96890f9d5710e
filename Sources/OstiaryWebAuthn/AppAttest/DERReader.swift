/// Reads elements one after the other, strictly: definite lengths in their shortest form, nothing missing.
struct DERReader: Sendable {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// `true` after the last element.
    var isAtEnd: Bool { rest.isEmpty }

    /// Reads the next element; nil if there is none, or its encoding is not DER.
    mutating func next() -> DERElement? {
        guard let tag = rest.first, tag & 0x1F != 0x1F, let (length, header) = length() else { return nil }
        let start = rest.startIndex
        guard length <= rest.endIndex - start - header else { return nil }
        let content = rest[(start + header)..<(start + header + length)]
        let element = DERElement(tag: tag, content: content, encoded: rest[start..<content.endIndex])
        rest = rest[content.endIndex...]
        return element
    }

    /// Reads the next element if it has this identifier octet.
    mutating func next(_ tag: UInt8) -> DERElement? {
        guard rest.first == tag else { return nil }
        return next()
    }

    /// Reads the element that the bytes consist of, if it has this identifier octet.
    static func only(_ tag: UInt8, in bytes: ArraySlice<UInt8>) -> DERElement? {
        var reader = DERReader(bytes)
        guard let element = reader.next(tag), reader.isAtEnd else { return nil }
        return element
    }

    /// Returns the length of the contents, and that of identifier and length octets. Lengths over 65,535 are refused.
    private func length() -> (length: Int, header: Int)? {
        let octets = rest.dropFirst().prefix(3)
        guard let first = octets.first else { return nil }
        let following = Array(octets.dropFirst())
        switch first {
        case 0..<0x80: return (Int(first), 2)
        case 0x81:
            guard following.count >= 1, following[0] >= 0x80 else { return nil }
            return (Int(following[0]), 3)
        case 0x82:
            guard following.count == 2, following[0] > 0 else { return nil }
            return (Int(following[0]) << 8 | Int(following[1]), 4)
        default: return nil
        }
    }
}
