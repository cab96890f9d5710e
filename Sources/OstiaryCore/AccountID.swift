/// The id of an account within its app: an integer in decimal or a UUID, as the contract says; opaque to everyone else.
public struct AccountID: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    /// - Throws: ``FieldProblem/malformed`` unless 1 to 64 ASCII letters, digits, `-` or `_`.
    public init(_ text: String) throws(FieldProblem) {
        guard isIdentifierText(text) else { throw .malformed }
        self.text = text
    }

    public var description: String { text }
}

/// The id of a session. Knowing it gives no access.
public struct SessionID: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    /// - Throws: ``FieldProblem/malformed`` unless 1 to 64 ASCII letters, digits, `-` or `_`.
    public init(_ text: String) throws(FieldProblem) {
        guard isIdentifierText(text) else { throw .malformed }
        self.text = text
    }

    public var description: String { text }
}

private func isIdentifierText(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
        && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
}
