/// A one-time code: 4 to 10 ASCII digits, leading zeros included. Never a number.
public struct OneTimeCode: Hashable, Sendable {
    private let digits: Secret<String>

    /// How many digits it may have.
    public static let lengths = 4...10

    /// - Throws: ``FieldProblem/malformed``.
    public init(_ text: String) throws(FieldProblem) {
        guard Self.lengths.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw .malformed
        }
        digits = Secret(text)
    }

    /// The digits themselves.
    public func reveal() -> String { digits.reveal() }
}
