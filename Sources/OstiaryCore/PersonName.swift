/// A user's display name: free text on one line.
public struct PersonName: Hashable, Sendable {
    /// The name without surrounding white space, in Unicode Normalization Form C.
    public let text: String

    /// The maximum length of a name, in UTF-8 bytes.
    public static let maximumBytes = 200

    /// Creates a name from typed text; surrounding white space is removed.
    ///
    /// - Throws: ``FieldProblem/malformed`` with a control, format or line-break character;
    ///   ``FieldProblem/tooLong(maximum:)`` above ``maximumBytes``.
    public init(_ text: String) throws(FieldProblem) {
        guard text.utf8.count <= maximumTypedBytes else { throw .tooLong(maximum: 200) }
        let trimmed = text.trimmedAndComposed
        guard trimmed.utf8.count <= Self.maximumBytes else { throw .tooLong(maximum: Self.maximumBytes) }
        // Zero-width joiners occur in names in Persian and in Indic scripts; no other format character does.
        guard trimmed.unicodeScalars.allSatisfy({ $0.isPrintable || $0 == "\u{200C}" || $0 == "\u{200D}" }) else {
            throw .malformed
        }
        self.text = trimmed
    }
}
