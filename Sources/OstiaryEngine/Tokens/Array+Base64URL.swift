import OstiaryCore

extension [UInt8] {
    /// The bytes as base64url without padding.
    var base64URL: String { Base64URL.encode(self) }
}
