/// The identifier of an account, unique within its app: a decimal integer or a UUID, as the contract specifies. Clients
/// treat it as opaque.
public struct AccountID: Hashable, Sendable, CustomStringConvertible {
    /// The identifier as it appears on the wire: 1 to 64 ASCII letters, digits, `-` or `_`.
    public let text: String

    /// Creates an account identifier from its text.
    ///
    /// - Throws: ``FieldProblem/malformed`` unless 1 to 64 ASCII letters, digits, `-` or `_`.
    public init(_ text: String) throws(FieldProblem) {
        guard isIdentifierText(text) else { throw .malformed }
        self.text = text
    }

    /// The ``text``. An identifier is not a secret.
    public var description: String { text }
}

/// The identifier of a session. It is not a credential: knowing it grants no access.
public struct SessionID: Hashable, Sendable, CustomStringConvertible {
    /// The identifier as it appears on the wire: 1 to 64 ASCII letters, digits, `-` or `_`.
    public let text: String

    /// Creates a session identifier from its text.
    ///
    /// - Throws: ``FieldProblem/malformed`` unless 1 to 64 ASCII letters, digits, `-` or `_`.
    public init(_ text: String) throws(FieldProblem) {
        guard isIdentifierText(text) else { throw .malformed }
        self.text = text
    }

    /// The ``text``. An identifier is not a secret.
    public var description: String { text }
}

/// The identifier of a second factor, unique within its app. It is not a credential.
public struct FactorID: Hashable, Sendable, CustomStringConvertible {
    /// The identifier as it appears on the wire: 1 to 64 ASCII letters, digits, `-` or `_`.
    public let text: String

    /// Creates a factor identifier from its text.
    ///
    /// - Throws: ``FieldProblem/malformed`` unless 1 to 64 ASCII letters, digits, `-` or `_`.
    public init(_ text: String) throws(FieldProblem) {
        guard isIdentifierText(text) else { throw .malformed }
        self.text = text
    }

    /// The ``text``. An identifier is not a secret.
    public var description: String { text }
}

/// The identifier of a recognized device, unique within its app. It is not a credential.
public struct DeviceID: Hashable, Sendable, CustomStringConvertible {
    /// The identifier as it appears on the wire: 1 to 64 ASCII letters, digits, `-` or `_`.
    public let text: String

    /// Creates a device identifier from its text.
    ///
    /// - Throws: ``FieldProblem/malformed`` unless 1 to 64 ASCII letters, digits, `-` or `_`.
    public init(_ text: String) throws(FieldProblem) {
        guard isIdentifierText(text) else { throw .malformed }
        self.text = text
    }

    /// The ``text``. An identifier is not a secret.
    public var description: String { text }
}

private func isIdentifierText(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
        && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
}
