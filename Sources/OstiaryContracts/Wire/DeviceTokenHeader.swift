public import OstiaryCore

/// The header that carries the secret of a recognized device, in requests and answers, the same in every contract.
public enum DeviceTokenHeader {
    /// The name in lower case.
    public static let name = "x-device-token"
    /// The name as descriptions spell it.
    static let displayName = "X-Device-Token"
    static let maximumBytes = 128

    /// Returns the secret in the value of the header; nil for a text that no server issued.
    public static func read(_ value: String?) -> Secret<String>? {
        guard let value, !value.isEmpty, value.isShortASCII(atMost: maximumBytes), Base64URL.decode(value.utf8) != nil
        else { return nil }
        return Secret(value)
    }
}
