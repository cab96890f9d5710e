/// The base64url alphabet without padding. Source: RFC 4648 §5, RFC 7515 §2.
///
/// Loops iterate over arrays: over a generic collection, every byte costs several calls.
public enum Base64URL {
    /// Returns the encoding of the bytes.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        let (bytes, alphabet) = (Array(bytes), alphabet)
        return String(unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { text in
            var end = 0
            var buffer: UInt32 = 0
            var bits = 0
            for byte in bytes {
                buffer = buffer << 8 | UInt32(byte)
                bits += 8
                while bits >= 6 {
                    bits -= 6
                    text[end] = alphabet[Int(buffer >> bits & 0x3F)]
                    end += 1
                }
            }
            if bits > 0 {
                text[end] = alphabet[Int(buffer << (6 - bits) & 0x3F)]
                end += 1
            }
            return end
        }
    }

    /// Returns the bytes whose encoding is exactly this text; `nil` if there are none.
    ///
    /// Padding, white space and non-zero trailing bits in the last character are refused: every token has one spelling.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var buffer: UInt32 = 0
        var bits = 0
        for character in Array(text) {
            let value = values[Int(character)]
            guard value < 64 else { return nil }
            buffer = buffer << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
            }
        }
        guard bits < 6, buffer & (1 << bits - 1) == 0 else { return nil }
        return bytes
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
