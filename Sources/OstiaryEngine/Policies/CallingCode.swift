public import OstiaryCore

/// The beginning of phone numbers that text messages are sent to: `+` and a calling code, or more digits for an area.
public struct CallingCode: Hashable, Sendable {
    /// For example `+49`.
    public let text: String

    /// - Returns: Nil for anything but `+` and one to seven digits, the first of them not 0.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (2...8).contains(bytes.count), bytes[0] == UInt8(ascii: "+"), bytes[1] != UInt8(ascii: "0"),
            bytes.dropFirst().allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        self.text = text
    }

    public func covers(_ number: PhoneNumber) -> Bool { number.e164.utf8.starts(with: text.utf8) }
}
