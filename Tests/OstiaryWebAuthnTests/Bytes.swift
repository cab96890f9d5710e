import OstiaryCore

/// Returns the bytes of hexadecimal text; white space is ignored, and other characters end the text.
func hex(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var high: Int?
    for character in text where !character.isWhitespace {
        guard let digit = character.hexDigitValue else { return [] }
        if let first = high {
            bytes.append(UInt8(first << 4 | digit))
            high = nil
        } else {
            high = digit
        }
    }
    return bytes
}

/// A random number generator whose sequence is determined by its seed. Source: Steele, Lea and Flood, "Fast Splittable
/// Pseudorandom Number Generators" (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns the bytes after 1 to 4 random changes: bits flipped, bytes set, inserted, removed, or copied over others.
    mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &self) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &self)
            switch Int.random(in: 0..<6, using: &self) {
            case 0, 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 2: bytes[index] = UInt8.random(in: 0...255, using: &self)
            case 3: bytes.insert(UInt8.random(in: 0...255, using: &self), at: index)
            case 4: bytes.remove(at: index)
            default: bytes[index] = bytes[Int.random(in: 0..<bytes.count, using: &self)]
            }
        }
        return bytes
    }
}
