/// A one-time code: 4 to 10 ASCII digits, including leading zeros. It is text, never a number.
public struct OneTimeCode: Hashable, Sendable {
    private let digits: Secret<String>

    /// The permitted numbers of digits.
    public static let lengths = 4...10

    /// Creates a code from its digits.
    ///
    /// - Throws: ``FieldProblem/malformed`` unless 4 to 10 ASCII digits.
    public init(_ text: String) throws(FieldProblem) {
        guard Self.lengths.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw .malformed
        }
        digits = Secret(text)
    }

    /// Returns the digits in plain text.
    public func reveal() -> String { digits.reveal() }
}
