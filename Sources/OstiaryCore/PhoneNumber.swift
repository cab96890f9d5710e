/// A phone number in E.164 form: `+` and 7 to 15 digits, the first of them not 0.
///
/// Spaces, dashes, dots and parentheses are removed; any other character, and a number that does not begin with `+`, is
/// rejected.
///
/// Source: ITU-T E.164 §6.2.
public struct PhoneNumber: Hashable, Sendable {
    /// The canonical form, for example `+15551234567`.
    public let e164: String

    /// The maximum length of a number as typed, in UTF-8 bytes, including spaces and dashes.
    public static let maximumBytes = 64

    /// Creates a number from international form.
    ///
    /// - Throws: ``FieldProblem/malformed``.
    public init(_ text: String) throws(FieldProblem) {
        guard text.utf8.count <= Self.maximumBytes else { throw .malformed }
        let bytes = text.utf8.filter { !" -.()".utf8.contains($0) }
        guard bytes.first == UInt8(ascii: "+"), (8...16).contains(bytes.count), bytes[1] != UInt8(ascii: "0"),
            bytes.dropFirst().allSatisfy({ (0x30...0x39).contains($0) })
        else { throw .malformed }
        e164 = String(decoding: bytes, as: UTF8.self)
    }
}

extension PhoneNumber {
    /// Creates a number from international form as users type it or paste it from an address book.
    ///
    /// Every Unicode dash and space, slashes and direction marks are removed too. Numbers in requests are parsed by
    /// ``init(_:)``, which is stricter.
    ///
    /// - Throws: ``FieldProblem/malformed``.
    public init(typed text: String) throws(FieldProblem) { try self.init(typed: text, in: nil) }

    /// Creates a number as users type it: international with `+`, or national in a region.
    ///
    /// A trunk prefix, such as the `0` of `0170 1234567`, is removed if the region has one.
    ///
    /// - Parameter region: The region of national numbers; nil accepts international numbers only.
    /// - Throws: ``FieldProblem/malformed``.
    public init(typed text: String, in region: PhoneRegion?) throws(FieldProblem) {
        guard text.utf8.count <= Self.maximumBytes else { throw .malformed }
        var scalars = text.unicodeScalars
        scalars.removeAll { $0.isSeparatorOfDigits || $0 == "/" || ".()".unicodeScalars.contains($0) }
        let digits = String(scalars)
        guard let region, let first = digits.utf8.first, (0x30...0x39).contains(first) else {
            try self.init(digits)
            return
        }
        try self.init("+" + region.internationalDigits(Substring(digits)))
    }
}

extension Unicode.Scalar {
    /// `true` for characters without meaning between digits: dashes, spaces, direction controls and zero-width
    /// characters.
    ///
    /// Source: Unicode Character Database, `Dash`, `White_Space`, `Bidi_Control`; the zero-width characters of `Cf`.
    var isSeparatorOfDigits: Bool {
        if value < 0x80 { return self == " " || self == "-" || (0x09...0x0D).contains(value) }
        return properties.isDash || properties.isWhitespace || properties.isBidiControl
            || [0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF].contains(value)
    }
}

extension PhoneNumber: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The last four digits, for logs: `***1234`.
    public var masked: String { "***\(e164.suffix(4))" }
    /// The ``masked`` form, so that a log contains no full number.
    public var description: String { masked }
    /// The ``masked`` form, so that a log contains no full number.
    public var debugDescription: String { masked }
    /// An empty mirror, so that `dump` prints no full number.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
