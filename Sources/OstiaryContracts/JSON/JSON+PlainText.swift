extension JSON {
    /// Returns the number of bytes before the first one that JSON escapes: a quotation mark, a reverse solidus, a control
    /// character or DEL.
    ///
    /// Examines eight bytes at once, because most of a body is tokens of several hundred bytes.
    static func plainPrefix(of bytes: Slice<UnsafeRawBufferPointer>) -> Int {
        let bytes = UnsafeRawBufferPointer(rebasing: bytes)
        var index = 0
        while index < bytes.count {
            if index + 8 <= bytes.count {
                let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                // A high bit is set where a byte is below SPACE or equal to one of the others, perhaps in bytes after it too.
                let control = (word &- 0x2020_2020_2020_2020) & ~word
                let found =
                    control | equal(word, 0x2222_2222_2222_2222) | equal(word, 0x5C5C_5C5C_5C5C_5C5C)
                    | equal(word, 0x7F7F_7F7F_7F7F_7F7F)
                if found & 0x8080_8080_8080_8080 == 0 {
                    index += 8
                    continue
                }
            }
            switch bytes[index] {
            case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x7F: return index
            default: index += 1
            }
        }
        return index
    }

    private static func equal(_ word: UInt64, _ other: UInt64) -> UInt64 {
        let difference = word ^ other
        return (difference &- 0x0101_0101_0101_0101) & ~difference
    }
}
