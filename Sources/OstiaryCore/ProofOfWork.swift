/// A computation that a server asks for before it judges a sign-in from a network under suspicion.
///
/// The answer is a counter for which the SHA-256 hash of `challenge:counter` begins with ``bits`` zero bits.
public struct ProofOfWork: Hashable, Sendable {
    /// The server's text, in base64url. It belongs to one app, one operation and one identifier, and is answered once.
    public var challenge: String
    /// The number of zero bits with which the hash must begin. Each bit doubles the expected number of hashes.
    public var bits: Int

    /// Creates a computation from its parts.
    public init(challenge: String, bits: Int) {
        self.challenge = challenge
        self.bits = bits
    }

    /// Returns the number of zero bits with which a hash begins.
    package static func leadingZeroBits(of hash: some Sequence<UInt8>) -> Int {
        var count = 0
        for byte in hash {
            count += byte.leadingZeroBitCount
            if byte != 0 { break }
        }
        return count
    }
}

/// The answer to a ``ProofOfWork``.
public struct ProofOfWorkSolution: Hashable, Sendable {
    /// The challenge of the computation.
    public var challenge: String
    /// The counter that solves it.
    public var counter: UInt64

    /// Creates a solution from its parts.
    public init(challenge: String, counter: UInt64) {
        self.challenge = challenge
        self.counter = counter
    }

    /// The text whose hash is judged, and the value of the header: `challenge:counter`.
    public var text: String { "\(challenge):\(counter)" }
}
