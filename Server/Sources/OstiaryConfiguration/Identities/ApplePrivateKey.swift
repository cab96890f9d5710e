import Foundation
import OstiaryCore

/// The key that signs client secrets for Apple, as PEM.
///
/// It is inspected, not used: its first bytes show that it is a PKCS #8 key on P-256. Source: RFC 5208 §5, RFC 5915 §3.
struct ApplePrivateKey {
    static let need = "needs the private key for Sign in with Apple: PKCS #8 PEM of an EC key on P-256"
    private static let largestFile = 16384

    let pem: Secret<String>

    /// - Parameter text: With line breaks, or `\n` in their place, which is common in environment variables.
    init?(text: String) {
        let lines = text.replacing("\\n", with: "\n").utf8.split { $0 == 0x0A || $0 == 0x0D }
            .map { Substring($0).trimming(" ") }.filter { !$0.isEmpty }
        guard let first = lines.first, let last = lines.last, lines.count > 2,
            first == "-----BEGIN PRIVATE KEY-----", last == "-----END PRIVATE KEY-----",
            let data = Data(base64Encoded: lines.dropFirst().dropLast().joined()), Self.isOnP256(Array(data))
        else { return nil }
        pem = Secret(lines.joined(separator: "\n") + "\n")
    }

    init?(file path: String) {
        guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? handle.close() }
        guard let data = try? handle.read(upToCount: Self.largestFile),
            let text = String(validating: data, as: UTF8.self)
        else { return nil }
        self.init(text: text)
    }

    private static func isOnP256(_ der: [UInt8]) -> Bool {
        var rest = der[...]
        guard let all = take(0x30, from: &rest), rest.isEmpty else { return false }
        rest = all
        let algorithm: [UInt8] = [
            0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01,  // id-ecPublicKey
            0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07,  // secp256r1
        ]
        guard take(0x02, from: &rest)?.elementsEqual([0]) == true,
            take(0x30, from: &rest)?.elementsEqual(algorithm) == true,
            var key = take(0x04, from: &rest), var inner = take(0x30, from: &key), key.isEmpty,
            take(0x02, from: &inner)?.elementsEqual([1]) == true, let scalar = take(0x04, from: &inner)
        else { return false }
        return scalar.count == 32 && scalar.contains { $0 != 0 }
    }

    /// Returns the content of the next value, which must have that tag. Source: ITU-T X.690 §8.1.
    private static func take(_ tag: UInt8, from bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.popFirst() == tag, let first = bytes.popFirst() else { return nil }
        var length = Int(first)
        if first == 0x81 || first == 0x82 {
            length = 0
            for _ in 0..<(first & 0x0F) {
                guard let byte = bytes.popFirst() else { return nil }
                length = length << 8 | Int(byte)
            }
        } else if first > 0x7F {
            return nil
        }
        guard length <= bytes.count else { return nil }
        defer { bytes = bytes.dropFirst(length) }
        return bytes.prefix(length)
    }
}
