public import OstiaryCore

/// The identifier of an endpoint that receives events: `ep_` and 32 hexadecimal digits. It is not a secret.
public struct EventEndpointID: Hashable, Sendable, CustomStringConvertible {
    /// The identifier as text.
    public let text: String

    /// Creates an identifier from its text.
    ///
    /// - Throws: `FieldProblem.malformed` if the text is not of that form.
    public init(_ text: String) throws(FieldProblem) {
        let digits = text.utf8.dropFirst(3)
        guard text.utf8.count == 35, text.utf8.starts(with: "ep_".utf8),
            digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { throw .malformed }
        self.text = text
    }

    /// Creates a random identifier.
    init(_ system: SystemDependencies) {
        text = "ep_" + system.randomBytes(16).map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
    }

    /// The ``text``.
    public var description: String { text }
}
