extension CBOR {
    /// The maximum length of the input.
    package static let maximumBytes = 65_536
    /// The maximum nesting depth of arrays and maps.
    package static let maximumDepth = 8

    /// Decodes the one value that the bytes encode, strictly and in linear time: definite lengths, shortest encodings,
    /// keys in canonical order without duplicates, text in UTF-8, no tags, no floating-point numbers, at most
    /// ``maximumDepth`` levels and ``maximumBytes`` bytes, nothing after the value.
    ///
    /// Source: RFC 8949 §4.2.1; CTAP 2.1 §8 (CTAP2 canonical CBOR encoding form).
    ///
    /// - Throws: ``CBORProblem`` with the first problem found.
    package static func decode(_ bytes: [UInt8]) throws(CBORProblem) -> CBOR {
        let (value, length) = try decodePrefix(of: bytes[...])
        guard length == bytes.count else { throw .trailingBytes }
        return value
    }

    /// Decodes the value at the start of the bytes, as strictly as ``decode(_:)``, and returns it with the number of
    /// bytes that encode it. Other bytes may follow.
    ///
    /// - Throws: ``CBORProblem`` with the first problem found.
    package static func decodePrefix(of bytes: ArraySlice<UInt8>) throws(CBORProblem) -> (value: CBOR, length: Int) {
        guard bytes.count <= maximumBytes else { throw .tooLong }
        var decoder = CBORDecoder(bytes: bytes)
        let value = try decoder.value(depth: 0)
        return (value, decoder.position - bytes.startIndex)
    }
}

private struct CBORDecoder {
    private let bytes: ArraySlice<UInt8>
    private(set) var position: Int

    init(bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// The recursion ends at ``CBOR/maximumDepth``.
    mutating func value(depth: Int) throws(CBORProblem) -> CBOR {
        guard let initial = take() else { throw .truncated }
        let information = initial & 0x1F
        switch initial >> 5 {
        case 0: return .unsigned(try argument(information, ofLength: false))
        case 1: return .negative(try argument(information, ofLength: false))
        case 2: return .bytes(Array(try take(try argument(information, ofLength: true))))
        case 3:
            let content = try take(try argument(information, ofLength: true))
            guard let text = String(validating: content, as: UTF8.self) else { throw .invalidText }
            return .text(text)
        case 4: return try array(count: try argument(information, ofLength: true), depth: depth)
        case 5: return try map(count: try argument(information, ofLength: true), depth: depth)
        case 6: throw .tag
        default: return try simple(information)
        }
    }

    /// Returns the argument of a head. Source: RFC 8949 §3 and §4.2.1.
    private mutating func argument(_ information: UInt8, ofLength isLength: Bool) throws(CBORProblem) -> UInt64 {
        let minimum: UInt64
        switch information {
        case 0..<24: return UInt64(information)
        case 24: minimum = 24
        case 25: minimum = 0x100
        case 26: minimum = 0x1_0000
        case 27: minimum = 0x1_0000_0000
        case 31 where isLength: throw .indefiniteLength
        default: throw .reserved
        }
        let argument = try take(1 << UInt64(information - 24)).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard argument >= minimum else { throw .notShortest }
        return argument
    }

    private mutating func array(count: UInt64, depth: Int) throws(CBORProblem) -> CBOR {
        guard depth < CBOR.maximumDepth else { throw .tooDeep }
        // Every element takes a byte at least, so a false count ends at the end of the input.
        guard count <= UInt64(bytes.endIndex - position) else { throw .truncated }
        var elements: [CBOR] = []
        for _ in 0..<count { elements.append(try value(depth: depth + 1)) }
        return .array(elements)
    }

    private mutating func map(count: UInt64, depth: Int) throws(CBORProblem) -> CBOR {
        guard depth < CBOR.maximumDepth else { throw .tooDeep }
        guard count <= UInt64(bytes.endIndex - position) / 2 else { throw .truncated }
        var entries: [CBOR.Entry] = []
        var last: ArraySlice<UInt8>?
        for _ in 0..<count {
            let start = position
            let key = try value(depth: depth + 1)
            let encoded = bytes[start..<position]
            if let last { try Self.verifyOrder(last, encoded) }
            last = encoded
            entries.append(CBOR.Entry(key, try value(depth: depth + 1)))
        }
        return .map(entries)
    }

    /// Verifies that one encoded key precedes another: the lower major type first, then the shorter key, then the lower
    /// bytes. Source: CTAP 2.1 §8.
    private static func verifyOrder(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) throws(CBORProblem) {
        let types = (one.first.map { $0 >> 5 }, other.first.map { $0 >> 5 })
        if let first = types.0, let second = types.1, first != second {
            guard first < second else { throw .unsortedKeys }
        } else if one.count != other.count {
            guard one.count < other.count else { throw .unsortedKeys }
        } else if !one.lexicographicallyPrecedes(other) {
            throw one == other ? .duplicateKey : .unsortedKeys
        }
    }

    private func simple(_ information: UInt8) throws(CBORProblem) -> CBOR {
        switch information {
        case 20: return .boolean(false)
        case 21: return .boolean(true)
        case 22: return .null
        case 25...27: throw .float
        case 28...30: throw .reserved
        case 31: throw .indefiniteLength
        default: throw .simpleValue
        }
    }

    private mutating func take() -> UInt8? {
        guard position < bytes.endIndex else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func take(_ count: UInt64) throws(CBORProblem) -> ArraySlice<UInt8> {
        guard count <= UInt64(bytes.endIndex - position) else { throw .truncated }
        let start = position
        position += Int(count)
        return bytes[start..<position]
    }
}
