public import OstiaryCore

/// The identifier of a service key. It is not a secret.
public struct ServiceKeyID: Hashable, Sendable, CustomStringConvertible {
    /// The identifier as text: 16 digits of hexadecimal, in lower case.
    public let text: String
    private static let digits = 16

    /// Creates an identifier from its text.
    ///
    /// - Throws: `FieldProblem.malformed` if the text is not of that form.
    public init(_ text: String) throws(FieldProblem) {
        guard text.utf8.count == Self.digits,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { throw .malformed }
        self.text = text
    }

    /// Creates a new identifier.
    init(_ system: SystemDependencies) {
        text = system.randomBytes(Self.digits / 2).map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
    }

    /// The identifier as text.
    public var description: String { text }
}
