/// The canonical form of an ECDSA signature: (r, s) and (r, n − s) both verify. Only the one with the lower s is
/// accepted, so that the holder of a token cannot derive a second token from it (signature malleability).
enum ES256Signature {
    /// The length of r and s concatenated, in bytes. Source: RFC 7518 §3.4.
    static let byteCount = 64

    static func isLow(_ signature: [UInt8]) -> Bool {
        signature.count == byteCount && !halfOrder.lexicographicallyPrecedes(signature.suffix(32))
    }

    /// Returns the equivalent signature with s in the lower half.
    static func lowered(_ signature: [UInt8]) -> [UInt8] {
        guard signature.count == byteCount, !isLow(signature) else { return signature }
        var lowered = signature
        var borrow = 0
        for index in (0..<32).reversed() {
            let difference = Int(order[index]) - Int(signature[32 + index]) - borrow
            borrow = difference < 0 ? 1 : 0
            lowered[32 + index] = UInt8(truncatingIfNeeded: difference)
        }
        return lowered
    }

    /// n, the order of the curve P-256. Source: SEC 2 §2.4.2.
    private static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]

    /// (n − 1) / 2.
    private static let halfOrder: [UInt8] = [
        0x7F, 0xFF, 0xFF, 0xFF, 0x80, 0x00, 0x00, 0x00, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xDE, 0x73, 0x7D, 0x56, 0xD3, 0x8B, 0xCF, 0x42, 0x79, 0xDC, 0xE5, 0x61, 0x7E, 0x31, 0x92, 0xA8,
    ]
}
