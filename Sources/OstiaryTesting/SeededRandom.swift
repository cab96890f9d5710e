/// A random number generator whose sequence is determined by its seed: a failing test prints the seed and can be
/// repeated with it.
///
/// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (SplitMix64).
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator that repeats the sequence of `seed`.
    public init(seed: UInt64) { state = seed }

    /// Returns a generator with a new seed, and prints the test's name and the seed.
    public static func announced(_ test: String = #function) -> SeededRandom {
        let seed = UInt64.random(in: 0...UInt64(UInt32.max))
        print("\(test): seed \(seed)")
        return SeededRandom(seed: seed)
    }

    /// Returns the next 64 bits of the sequence.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
