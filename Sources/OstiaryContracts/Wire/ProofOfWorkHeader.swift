public import OstiaryCore

/// The header of a request that carries the solution of a computation, the same in every contract.
public enum ProofOfWorkHeader {
    /// The name in lower case.
    public static let name = "x-proof-of-work"
    /// The name as descriptions spell it.
    static let displayName = "X-Proof-Of-Work"
    static let maximumBytes = 256
    /// The form of the value, as a regular expression.
    static let pattern = "^[A-Za-z0-9_-]+:(0|[1-9][0-9]*)$"

    /// Returns the solution in the value of the header; nil for any other text.
    public static func read(_ value: String?) -> ProofOfWorkSolution? {
        guard let value, value.isShortASCII(atMost: maximumBytes),
            let colon = value.utf8.lastIndex(of: UInt8(ascii: ":"))
        else { return nil }
        let challenge = value[..<colon]
        let digits = value[value.utf8.index(after: colon)...]
        // One spelling of each number: the text is what is hashed.
        guard !challenge.isEmpty, Base64URL.decode(challenge.utf8) != nil, let counter = UInt64(digits),
            digits.utf8.elementsEqual(String(counter).utf8)
        else { return nil }
        return ProofOfWorkSolution(challenge: String(challenge), counter: counter)
    }
}
