import Foundation

extension SeededRandom {
    /// The base64url of 32 bytes: 43 characters.
    mutating func token() -> String {
        var bytes = Data()
        for _ in 0..<4 { withUnsafeBytes(of: next().bigEndian) { bytes.append(contentsOf: $0) } }
        return bytes.base64URL
    }

    mutating func digits(_ count: Int) -> String {
        String((0..<count).map { _ in Character(String(Int.random(in: 0...9, using: &self))) })
    }

    /// Source: RFC 9562 §5.4.
    mutating func uuid() -> String {
        let high = next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let hex = [high, low].map { String(repeating: "0", count: $0.leadingZeroBitCount / 4) + String($0, radix: 16) }
        let digits = Array(hex.joined())
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }
}

extension Data {
    /// Source: RFC 4648 §5.
    var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
