public import OstiaryCore

/// A prefix of the phone numbers that text messages are sent to: `+` and a calling code, or more digits for an area.
public struct CallingCode: Hashable, Sendable {
    /// The prefix, for example `+49`.
    public let text: String

    /// Creates a prefix from text.
    ///
    /// - Returns: `nil` for text other than `+` and one to seven digits, the first of them not 0.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (2...8).contains(bytes.count), bytes[0] == UInt8(ascii: "+"), bytes[1] != UInt8(ascii: "0"),
            bytes.dropFirst().allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        self.text = text
    }

    /// Returns `true` if the number begins with the prefix.
    public func covers(_ number: PhoneNumber) -> Bool { number.e164.utf8.starts(with: text.utf8) }
}
