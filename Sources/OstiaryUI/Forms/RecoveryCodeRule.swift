import OstiaryCore

/// The form of recovery codes: ten letters and digits, with dashes and spaces that are ignored. The server decides whether a
/// code is one of the account's.
struct RecoveryCodeRule {
    static let length = 10
    /// The maximum length of the text, in UTF-8 bytes.
    private static let maximumBytes = 64

    func check(_ text: String) -> InputVerdict {
        guard text.utf8.count <= Self.maximumBytes else { return .invalid(.malformed) }
        var count = 0
        for byte in text.utf8 where byte != UInt8(ascii: "-") && byte != UInt8(ascii: " ") {
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            let isLetter = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF)
            guard isDigit || isLetter else { return .invalid(.malformed) }
            count += 1
        }
        if count == 0 { return .empty }
        if count < Self.length { return .incomplete(.malformed) }
        return count == Self.length ? .good : .invalid(.malformed)
    }
}
