/// A phone number in E.164 form: `+` and 7 to 15 digits, the first of them not 0.
///
/// Spaces, dashes, dots and parentheses are removed; anything else, and anything that does not begin with `+`, is
/// refused.
///
/// Source: ITU-T E.164 §6.2.
public struct PhoneNumber: Hashable, Sendable {
    /// The canonical form, for example `+15551234567`.
    public let e164: String

    /// - Throws: ``FieldProblem/malformed``.
    public init(_ text: String) throws(FieldProblem) {
        guard text.utf8.count <= 64 else { throw .malformed }
        let bytes = text.utf8.filter { !" -.()".utf8.contains($0) }
        guard bytes.first == UInt8(ascii: "+"), (8...16).contains(bytes.count), bytes[1] != UInt8(ascii: "0"),
            bytes.dropFirst().allSatisfy({ (0x30...0x39).contains($0) })
        else { throw .malformed }
        e164 = String(decoding: bytes, as: UTF8.self)
    }
}

extension PhoneNumber: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The last four digits, for logs: `***1234`.
    public var masked: String { "***\(e164.suffix(4))" }
    public var description: String { masked }
    public var debugDescription: String { masked }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
