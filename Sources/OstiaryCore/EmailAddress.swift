import Foundation

/// An email address: displayed as typed, compared in one canonical form.
///
/// The accepted syntax is deliberately narrower than RFC 5321's: a dot-atom, an `@`, and a host name. Quoted local
/// parts, address literals, comments, display names and lists are rejected, so that one string always denotes one
/// recipient.
///
/// Source: RFC 5321 §4.1.2 and §4.5.3.1 (limits); RFC 6531 (non-ASCII letters, kept as they are).
public struct EmailAddress: Hashable, Sendable {
    /// The address as typed, without surrounding white space, in Unicode Normalization Form C.
    public let text: String
    /// The form that the unique index stores and comparisons use: ``text`` with ASCII letters in lower case.
    public let canonical: String

    /// The maximum length of an address, in UTF-8 bytes. Source: RFC 5321 §4.5.3.1.3.
    public static let maximumBytes = 254

    /// Creates an address from typed text; surrounding white space is removed.
    ///
    /// - Throws: ``FieldProblem/malformed``, or ``FieldProblem/tooLong(maximum:)`` above ``maximumBytes``.
    public init(_ text: String) throws(FieldProblem) {
        guard text.utf8.count <= maximumTypedBytes else { throw .tooLong(maximum: 254) }
        let trimmed = text.trimmedAndComposed
        guard trimmed.utf8.count <= Self.maximumBytes else { throw .tooLong(maximum: Self.maximumBytes) }
        let parts = trimmed.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, Self.isLocalPart(parts[0]), Self.isDomain(parts[1]),
            trimmed.unicodeScalars.allSatisfy({ $0.isASCII || Self.isPlainLetter($0) })
        else { throw .malformed }
        self.text = trimmed
        self.canonical = trimmed.asciiLowercased
    }

    /// Returns `true` if both canonical forms are equal.
    public static func == (one: Self, other: Self) -> Bool { one.canonical == other.canonical }
    /// Hashes the canonical form.
    public func hash(into hasher: inout Hasher) { hasher.combine(canonical) }

    private static let symbols = Set("!#$%&'*+/=?^_`{|}~-".utf8)

    private static func isLocalPart(_ part: Substring.UTF8View) -> Bool {
        part.count <= 64
            && part.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { atom in
                !atom.isEmpty && atom.allSatisfy { $0.isASCIILetterOrDigit || $0 >= 0x80 || symbols.contains($0) }
            }
    }

    private static func isDomain(_ part: Substring.UTF8View) -> Bool {
        let labels = part.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.count >= 2
            && labels.allSatisfy { label in
                (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                    && label.allSatisfy { $0.isASCIILetterOrDigit || $0 >= 0x80 || $0 == UInt8(ascii: "-") }
            }
    }

    /// Returns `true` for letters, marks and digits of any script; `false` for controls, spaces, format characters and
    /// look-alike punctuation.
    private static func isPlainLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber:
            true
        default: false
        }
    }
}

extension EmailAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The first letter and the domain, for logs: `j***@example.com`.
    public var masked: String {
        let domain = text.drop { $0 != "@" }
        return "\(text.prefix(1))***\(domain)"
    }
    /// The ``masked`` form, so that a log contains no full address.
    public var description: String { masked }
    /// The ``masked`` form, so that a log contains no full address.
    public var debugDescription: String { masked }
    /// An empty mirror, so that `dump` prints no full address.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

extension UInt8 {
    var isASCIILetterOrDigit: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }
}

/// The maximum length, in UTF-8 bytes, of text typed as an address or a name, including surrounding white space and
/// decomposed letters. Longer text is not normalised, because normalisation takes more than linear time.
let maximumTypedBytes = 1024

extension String {
    /// This text without surrounding white space, in Unicode Normalization Form C.
    var trimmedAndComposed: String {
        // Stores call this on every request, and nearly every text is ASCII without surrounding spaces.
        let isAlready =
            utf8.first.map { $0 > 0x20 } ?? true && utf8.last.map { $0 > 0x20 && $0 < 0x7F } ?? true
            && utf8.allSatisfy { $0 < 0x80 }
        guard !isAlready else { return self }
        return trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
    }

    /// This text with A to Z in lower case and every other byte unchanged, independent of locale and Unicode version.
    package var asciiLowercased: String {
        var bytes = Array(utf8)
        for index in bytes.indices where (0x41...0x5A).contains(bytes[index]) { bytes[index] += 0x20 }
        return String(decoding: bytes, as: UTF8.self)
    }
}
