/// What a person is called: free text of at most 200 bytes in one line.
public struct PersonName: Hashable, Sendable {
    public let text: String

    /// - Throws: ``FieldProblem/malformed`` with a control, format or line-break character;
    ///   ``FieldProblem/tooLong(maximum:)`` past 200 bytes.
    public init(_ text: String) throws(FieldProblem) {
        let trimmed = text.trimmedAndComposed
        guard trimmed.utf8.count <= 200 else { throw .tooLong(maximum: 200) }
        // Joiners belong to names in Persian and in Indic scripts; no other format character does.
        guard trimmed.unicodeScalars.allSatisfy({ $0.isPrintable || $0 == "\u{200C}" || $0 == "\u{200D}" }) else {
            throw .malformed
        }
        self.text = trimmed
    }
}
