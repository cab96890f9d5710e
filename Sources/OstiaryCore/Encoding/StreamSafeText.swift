/// Text that is compared in linear time.
///
/// Swift compares, orders and hashes a `String` by canonical equivalence: it sorts the marks that follow a letter,
/// which takes quadratic time in their number. Every parser of untrusted text rejects text with a longer run of marks
/// than ``maximumMarks``, before it is compared. No writing system needs that many.
///
/// Source: UAX #15 §13 (Stream-Safe Text Format), which counts non-starters; all of them are marks.
public enum StreamSafeText {
    /// The maximum number of consecutive marks (general category M).
    public static let maximumMarks = 30

    /// Returns `true` if valid UTF-8 has no longer run of marks. Takes linear time; text without marks is only scanned
    /// by bytes.
    public static func isStreamSafe(_ bytes: [UInt8]) -> Bool { isStreamSafe(bytes[...]) }

    /// Returns the text of bytes; nil if they are not UTF-8 or not stream-safe.
    public static func text(_ bytes: [UInt8]) -> String? { text(bytes[...]) }

    /// Returns the text of bytes; nil if they are not UTF-8 or not stream-safe.
    package static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        // Nearly every text, and quicker.
        if isASCII(bytes) { return String(decoding: bytes, as: UTF8.self) }
        return isStreamSafe(bytes) ? String(validating: bytes, as: UTF8.self) : nil
    }

    private static func isStreamSafe(_ bytes: ArraySlice<UInt8>) -> Bool {
        // The first mark is U+0300, and no scalar below it begins with a byte of 0xCC or above.
        guard let first = bytes.firstIndex(where: { $0 >= 0xCC }) else { return true }
        var run = 0
        for scalar in String(decoding: bytes[first...], as: UTF8.self).unicodeScalars {
            run = scalar.isMark ? run + 1 : 0
            guard run <= maximumMarks else { return false }
        }
        return true
    }

    /// Examines eight bytes at once.
    private static func isASCII(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var (index, seen) = (0, UInt64(0))
            while index + 8 <= bytes.count {
                seen |= bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                index += 8
            }
            while index < bytes.count {
                seen |= UInt64(bytes[index])
                index += 1
            }
            return seen & 0x8080_8080_8080_8080 == 0
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isMark: Bool {
        guard value >= 0x300 else { return false }
        return switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }
}

extension StringProtocol {
    /// Returns `true` for ASCII of at most `maximumBytes`, which is hashed and compared by bytes.
    // Inlined: across modules each byte of a generic string would cost several calls.
    @inlinable package func isShortASCII(atMost maximumBytes: Int) -> Bool {
        guard utf8.count <= maximumBytes else { return false }
        return utf8.withContiguousStorageIfAvailable { $0.allSatisfy { $0 < 0x80 } } ?? utf8.allSatisfy { $0 < 0x80 }
    }
}
