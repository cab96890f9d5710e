public import OstiaryCore

/// The name of one app of a server: 1 to 64 lower-case ASCII letters, digits, `-` or `_`.
public struct AppName: Hashable, Sendable, CustomStringConvertible {
    /// The name as text.
    public let text: String

    /// Creates a name from text.
    ///
    /// - Throws: `FieldProblem.malformed` if the text is not of that form.
    public init(_ text: String) throws(FieldProblem) {
        guard (1...64).contains(text.utf8.count),
            text.utf8.allSatisfy({
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F
            })
        else { throw .malformed }
        self.text = text
    }

    /// Creates a name from text of that form.
    init(unchecked text: String) { self.text = text }

    /// The name as text.
    public var description: String { text }
}
