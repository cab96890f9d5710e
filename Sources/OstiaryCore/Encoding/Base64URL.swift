/// The base64url alphabet without padding. Source: RFC 4648 §5, RFC 7515 §2.
///
/// Loops work on the memory of arrays, three bytes at a time: over a generic collection, every byte costs several calls.
public enum Base64URL {
    /// Returns the encoding of the bytes.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        Array(bytes).withUnsafeBufferPointer { bytes in
            alphabet.withUnsafeBufferPointer { alphabet in
                String(unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { text in
                    var (index, end) = (0, 0)
                    while index < bytes.count {
                        let group =
                            UInt32(bytes[index]) << 16
                            | (index + 1 < bytes.count ? UInt32(bytes[index + 1]) << 8 : 0)
                            | (index + 2 < bytes.count ? UInt32(bytes[index + 2]) : 0)
                        let characters = min(bytes.count - index, 3) + 1
                        for place in 0..<characters {
                            text[end + place] = alphabet[Int(group >> UInt32(18 - 6 * place) & 0x3F)]
                        }
                        index += 3
                        end += characters
                    }
                    return end
                }
            }
        }
    }

    /// Returns the bytes whose encoding is exactly this text; `nil` if there are none.
    ///
    /// Padding, white space and non-zero trailing bits in the last character are refused: every token has one spelling.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        Array(text).withUnsafeBufferPointer { text in
            values.withUnsafeBufferPointer { values in
                var isCanonical = true
                let bytes = [UInt8](unsafeUninitializedCapacity: text.count * 3 / 4) { bytes, count in
                    var (buffer, bits, seen) = (UInt32(0), 0, UInt8(0))
                    for character in text {
                        let value = values[Int(character)]
                        seen |= value
                        buffer = buffer << 6 | UInt32(value & 0x3F)
                        bits += 6
                        if bits >= 8 {
                            bits -= 8
                            bytes[count] = UInt8(truncatingIfNeeded: buffer >> bits)
                            count += 1
                        }
                    }
                    isCanonical = seen < 64 && bits < 6 && buffer & (1 << bits - 1) == 0
                }
                return isCanonical ? bytes : nil
            }
        }
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, character) in alphabet.enumerated() {
            values[Int(character)] = UInt8(value)
        }
        return values
    }()
}
