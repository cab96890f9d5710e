import Foundation

/// A name chosen for signing in, often an email address: shown as typed, compared in one canonical form.
public struct Username: Hashable, Sendable {
    /// As typed, without surrounding white space, in Unicode normalisation form C.
    public let text: String
    /// What the unique index stores and comparisons use: ``text`` with ASCII letters in lower case.
    public let canonical: String
    /// The name as it was given, byte for byte: tells names apart whose ``text`` is the same. Equal to ``text`` where it was
    /// given with more than 254 bytes.
    public let verbatim: String

    /// The most bytes that it may have.
    public static let maximumBytes = EmailAddress.maximumBytes

    /// - Throws: ``FieldProblem/malformed`` if empty or with a control, format or line-break character;
    ///   ``FieldProblem/tooLong(maximum:)`` past ``maximumBytes``.
    public init(_ text: String) throws(FieldProblem) {
        guard text.utf8.count <= maximumTypedBytes else { throw .tooLong(maximum: 254) }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
        guard trimmed.utf8.count <= Self.maximumBytes else { throw .tooLong(maximum: Self.maximumBytes) }
        guard !trimmed.isEmpty, trimmed.unicodeScalars.allSatisfy(\.isPrintable) else { throw .malformed }
        self.text = trimmed
        self.canonical = trimmed.asciiLowercased
        self.verbatim = text.utf8.count <= 254 ? text : trimmed
    }

    /// Equal if the canonical forms are.
    public static func == (one: Self, other: Self) -> Bool { one.canonical == other.canonical }
    public func hash(into hasher: inout Hasher) { hasher.combine(canonical) }
}

extension Username: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The first letter, for logs: usernames are often email addresses.
    public var masked: String { "\(text.prefix(1))***" }
    public var description: String { masked }
    public var debugDescription: String { masked }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

extension Unicode.Scalar {
    /// Neither a control nor a format character (which reorder or hide text), nor a line or paragraph separator.
    package var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
