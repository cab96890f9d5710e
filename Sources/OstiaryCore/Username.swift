import Foundation

/// A name chosen for signing in, often an email address: displayed as typed, compared in one canonical form.
public struct Username: Hashable, Sendable {
    /// The name as typed, without surrounding white space, in Unicode Normalization Form C.
    public let text: String
    /// The form that the unique index stores and comparisons use: ``text`` with ASCII letters in lower case.
    public let canonical: String
    /// The name as given, byte for byte; distinguishes names with the same ``text``. Equal to ``text`` if given with
    /// more than 254 bytes.
    public let verbatim: String

    /// The maximum length of a name, in UTF-8 bytes.
    public static let maximumBytes = EmailAddress.maximumBytes

    /// Creates a username from typed text; surrounding white space is removed.
    ///
    /// - Throws: ``FieldProblem/malformed`` if empty or with a control, format or line-break character;
    ///   ``FieldProblem/tooLong(maximum:)`` above ``maximumBytes``.
    public init(_ text: String) throws(FieldProblem) {
        guard text.utf8.count <= maximumTypedBytes else { throw .tooLong(maximum: 254) }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
        guard trimmed.utf8.count <= Self.maximumBytes else { throw .tooLong(maximum: Self.maximumBytes) }
        guard !trimmed.isEmpty, trimmed.unicodeScalars.allSatisfy(\.isPrintable) else { throw .malformed }
        self.text = trimmed
        self.canonical = trimmed.asciiLowercased
        self.verbatim = text.utf8.count <= 254 ? text : trimmed
    }

    /// Returns `true` if both canonical forms are equal.
    public static func == (one: Self, other: Self) -> Bool { one.canonical == other.canonical }
    /// Hashes the canonical form.
    public func hash(into hasher: inout Hasher) { hasher.combine(canonical) }
}

extension Username: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The first letter followed by `***`, for logs: usernames are often email addresses.
    public var masked: String { "\(text.prefix(1))***" }
    /// The ``masked`` form, so that a log contains no full username.
    public var description: String { masked }
    /// The ``masked`` form, so that a log contains no full username.
    public var debugDescription: String { masked }
    /// An empty mirror, so that `dump` prints no full username.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

extension Unicode.Scalar {
    /// `false` for control and format characters (which reorder or hide text), line and paragraph separators,
    /// surrogates, private-use and unassigned code points; `true` otherwise.
    package var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
