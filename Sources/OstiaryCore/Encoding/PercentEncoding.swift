/// Percent-encoding of paths and queries. Source: RFC 3986 §2.1.
public enum PercentEncoding {
    /// Decodes percent-encoded text.
    ///
    /// - Parameter plusIsSpace: `true` to decode `+` as a space, as in forms.
    /// - Returns: Nil for an invalid escape and for bytes that are not UTF-8 or not ``StreamSafeText``.
    public static func decode(_ text: Substring, plusIsSpace: Bool = false) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(0x20)
            default: bytes.append(byte)
            }
        }
        return StreamSafeText.text(bytes)
    }

    /// Percent-encodes text, except RFC 3986's unreserved characters and those in `keeping`.
    public static func encode(_ text: String, keeping: String = "") -> String {
        var output = ""
        for byte in text.utf8 {
            if isUnreserved(byte) || keeping.utf8.contains(byte) {
                output.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                output += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return output
    }

    /// Returns `true` for an unreserved character. Source: RFC 3986 §2.3.
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || "-._~".utf8.contains(byte)
    }

    /// Returns the value of a hexadecimal digit.
    package static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
