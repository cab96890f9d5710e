/// What a person is called: free text in one line.
public struct PersonName: Hashable, Sendable {
    public let text: String

    /// The most bytes that it may have.
    public static let maximumBytes = 200

    /// - Throws: ``FieldProblem/malformed`` with a control, format or line-break character;
    ///   ``FieldProblem/tooLong(maximum:)`` past ``maximumBytes``.
    public init(_ text: String) throws(FieldProblem) {
        guard text.utf8.count <= maximumTypedBytes else { throw .tooLong(maximum: 200) }
        let trimmed = text.trimmedAndComposed
        guard trimmed.utf8.count <= Self.maximumBytes else { throw .tooLong(maximum: Self.maximumBytes) }
        // Joiners belong to names in Persian and in Indic scripts; no other format character does.
        guard trimmed.unicodeScalars.allSatisfy({ $0.isPrintable || $0 == "\u{200C}" || $0 == "\u{200D}" }) else {
            throw .malformed
        }
        self.text = trimmed
    }
}
