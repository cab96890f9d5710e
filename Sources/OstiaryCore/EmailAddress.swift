import Foundation

/// An email address: shown as typed, compared in one canonical form.
///
/// The accepted form is narrower than RFC 5321's on purpose: a dot-atom, an `@`, and a host name. Quoted local parts,
/// address literals, comments, display names and lists are refused, so that one string is always one recipient.
///
/// Source: RFC 5321 §4.1.2 and §4.5.3.1 (limits); RFC 6531 (letters beyond ASCII, kept as they are).
public struct EmailAddress: Hashable, Sendable {
    /// As typed, without surrounding white space, in Unicode normalisation form C.
    public let text: String
    /// What the unique index stores and comparisons use: ``text`` with ASCII letters in lower case.
    public let canonical: String

    /// Source: RFC 5321 §4.5.3.1.3.
    public static let maximumBytes = 254

    /// - Throws: ``FieldProblem/malformed``, or ``FieldProblem/tooLong(maximum:)`` past ``maximumBytes``.
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

    /// Equal if the canonical forms are.
    public static func == (one: Self, other: Self) -> Bool { one.canonical == other.canonical }
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

    /// Letters, marks and digits of any script; no controls, spaces, format characters or look-alike punctuation.
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
    public var description: String { masked }
    public var debugDescription: String { masked }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

extension UInt8 {
    var isASCIILetterOrDigit: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }
}

/// How many bytes are looked at of what is typed as an address or a name: white space around it and decomposed letters
/// included. Normalisation must not be given more, since its time grows faster than the text.
let maximumTypedBytes = 1024

extension String {
    /// This text without surrounding white space, in Unicode normalisation form C.
    var trimmedAndComposed: String {
        // Stores ask for this at every request, and nearly every text is ASCII without spaces around it.
        let isAlready =
            utf8.first.map { $0 > 0x20 } ?? true && utf8.last.map { $0 > 0x20 && $0 < 0x7F } ?? true
            && utf8.allSatisfy { $0 < 0x80 }
        guard !isAlready else { return self }
        return trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
    }

    /// This text with A to Z in lower case and everything else untouched, so that no locale or Unicode version matters.
    package var asciiLowercased: String {
        var bytes = Array(utf8)
        for index in bytes.indices where (0x41...0x5A).contains(bytes[index]) { bytes[index] += 0x20 }
        return String(decoding: bytes, as: UTF8.self)
    }
}
