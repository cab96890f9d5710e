/// The name that an owner gives a second factor: 1 to 64 code points after trimming, without control
/// characters and without marks that change the direction of text.
public struct FactorName: Hashable, Sendable {
    /// The trimmed name.
    public let text: String
    /// The maximum length in code points.
    public static let maximumScalars = 64
    /// The maximum length in UTF-8 bytes.
    public static let maximumBytes = 4 * maximumScalars

    /// Creates a name from its text.
    ///
    /// - Throws: ``FieldProblem/missing`` for white space alone, ``FieldProblem/tooLong(maximum:)``,
    ///   ``FieldProblem/malformed`` for control characters and marks of direction.
    public init(_ text: String) throws(FieldProblem) {
        guard text.utf8.count <= Field.usualMaximumBytes else { throw .tooLong(maximum: Self.maximumBytes) }
        let scalars = text.unicodeScalars
        guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let end = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { throw .missing }
        let name = scalars[start...end]
        guard name.count <= Self.maximumScalars else { throw .tooLong(maximum: Self.maximumBytes) }
        guard name.allSatisfy({ $0.properties.generalCategory != .control && !$0.properties.isBidiControl }) else {
            throw .malformed
        }
        self.text = String(String.UnicodeScalarView(name))
    }
}
