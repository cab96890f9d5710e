extension CBOR {
    /// The value in its shortest encoding, with entries in the order of the value.
    package var encoded: [UInt8] {
        switch self {
        case .unsigned(let value): Self.head(0, value)
        case .negative(let value): Self.head(1, value)
        case .bytes(let bytes): Self.head(2, UInt64(bytes.count)) + bytes
        case .text(let text): Self.head(3, UInt64(text.utf8.count)) + Array(text.utf8)
        case .array(let elements): elements.reduce(Self.head(4, UInt64(elements.count))) { $0 + $1.encoded }
        case .map(let entries):
            entries.reduce(Self.head(5, UInt64(entries.count))) { $0 + $1.key.encoded + $1.value.encoded }
        case .boolean(let flag): [flag ? 0xF5 : 0xF4]
        case .null: [0xF6]
        }
    }

    /// Returns an integer.
    package static func integer(_ value: Int64) -> CBOR {
        value < 0 ? .negative(UInt64(-1 - value)) : .unsigned(UInt64(value))
    }

    private static func head(_ type: UInt8, _ argument: UInt64) -> [UInt8] {
        let width: (information: UInt8, bytes: Int) =
            switch argument {
            case 0..<24: (UInt8(argument), 0)
            case 24..<0x100: (24, 1)
            case 0x100..<0x1_0000: (25, 2)
            case 0x1_0000..<0x1_0000_0000: (26, 4)
            default: (27, 8)
            }
        return [type << 5 | width.information]
            + (0..<width.bytes).reversed().map { UInt8(truncatingIfNeeded: argument >> (8 * $0)) }
    }
}
