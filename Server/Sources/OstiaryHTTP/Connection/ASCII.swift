/// The character classes of HTTP's grammar, by byte. Source: RFC 9110 §5.6.2, RFC 3986 §3.2.2.
enum ASCII {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let delete: UInt8 = 0x7F

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }

    /// Returns `true` for a printing character other than a space.
    static func isVisible(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }

    static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

    static func isToken(_ byte: UInt8) -> Bool {
        if isLetter(byte) || isDigit(byte) { return true }
        switch byte {
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: return true
        default: return false
        }
    }

    /// Returns `true` if the bytes equal the lower-case `word`, ignoring the case of their letters.
    static func equals(_ bytes: some Collection<UInt8>, _ word: String) -> Bool {
        bytes.elementsEqual(word.utf8) { lowercased($0) == $1 }
    }

    /// Returns `true` if the bytes equal the lower-case `word`, ignoring the case of their letters.
    static func equals(_ bytes: UnsafeRawBufferPointer, _ word: StaticString) -> Bool {
        bytes.count == word.utf8CodeUnitCount
            && bytes.indices.allSatisfy { lowercased(bytes[$0]) == word.utf8Start[$0] }
    }

    static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte + 0x20 : byte }

    static func hexadecimal(_ byte: UInt8) -> Int? {
        switch byte {
        case 0x30...0x39: Int(byte - 0x30)
        case 0x41...0x46: Int(byte - 0x41) + 10
        case 0x61...0x66: Int(byte - 0x61) + 10
        default: nil
        }
    }

    // MARK: Eight bytes at a time

    /// Returns the number of bytes before the first control character but TAB.
    static func plainPrefix(of bytes: UnsafeRawBufferPointer) -> Int {
        var index = 0
        while index < bytes.count {
            if index + 8 <= bytes.count {
                let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                // A high bit is set where a byte is below SPACE, or is DEL; perhaps also in bytes that follow such a one.
                let isControl = (word &- 0x2020_2020_2020_2020) & ~word
                if (isControl | zeroBytes(word ^ 0x7F7F_7F7F_7F7F_7F7F)) & highBits == 0 {
                    index += 8
                    continue
                }
            }
            let byte = bytes[index]
            guard byte >= space && byte != delete || byte == tab else { return index }
            index += 1
        }
        return index
    }

    /// Returns `true` if no byte exceeds 127.
    static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        var seen: UInt64 = 0
        while index + 8 <= bytes.count {
            seen |= bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            index += 8
        }
        return seen & highBits == 0 && bytes[index...].allSatisfy { $0 < 0x80 }
    }

    /// Returns `true` if a JSON string has these bytes as they are: printing characters and spaces, without quotation marks
    /// and backslashes.
    static func isPlainJSON(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            // A high bit is set where a byte is below SPACE or beyond ASCII.
            var found = word | (word &- 0x2020_2020_2020_2020)
            found |= zeroBytes(word ^ 0x2222_2222_2222_2222) | zeroBytes(word ^ 0x5C5C_5C5C_5C5C_5C5C)
            found |= zeroBytes(word ^ 0x7F7F_7F7F_7F7F_7F7F)
            guard found & highBits == 0 else { return false }
            index += 8
        }
        return bytes[index...].allSatisfy { $0 >= space && $0 < delete && $0 != 0x22 && $0 != 0x5C }
    }

    /// A high bit is set where a byte is zero; perhaps also in bytes that follow such a one. The other bits have no meaning.
    private static func zeroBytes(_ word: UInt64) -> UInt64 { (word &- 0x0101_0101_0101_0101) & ~word }

    private static let highBits: UInt64 = 0x8080_8080_8080_8080
}
