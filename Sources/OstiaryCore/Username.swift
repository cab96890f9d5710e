import Foundation

/// A name chosen for signing in, often an email address: shown as typed, compared in one canonical form.
public struct Username: Hashable, Sendable {
    /// As typed, without surrounding white space, in Unicode normalisation form C.
    public let text: String
    /// What the unique index stores and comparisons use: ``text`` with ASCII letters in lower case.
    public let canonical: String

    /// - Throws: ``FieldProblem/malformed`` if empty or with a control, format or line-break character;
    ///   ``FieldProblem/tooLong(maximum:)`` past 254 bytes.
    public init(_ text: String) throws(FieldProblem) {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
        guard trimmed.utf8.count <= 254 else { throw .tooLong(maximum: 254) }
        guard !trimmed.isEmpty, trimmed.unicodeScalars.allSatisfy(\.isPrintable) else { throw .malformed }
        self.text = trimmed
        self.canonical = trimmed.asciiLowercased
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
