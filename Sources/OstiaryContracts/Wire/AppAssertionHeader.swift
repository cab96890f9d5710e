import OstiaryCore

/// The header that carries an assertion of App Attest, the same in every contract: the key id, a full stop and the assertion,
/// both in base64url.
public enum AppAssertionHeader {
    /// The name in lower case.
    public static let name = "x-app-assertion"
    /// The name as descriptions spell it.
    static let displayName = "X-App-Assertion"
    static let maximumBytes = 2048

    /// Returns the value for an assertion of a key.
    public static func write(keyID: [UInt8], assertion: [UInt8]) -> String {
        "\(Base64URL.encode(keyID)).\(Base64URL.encode(assertion))"
    }

    /// Returns the key id and the assertion in a value; nil for a value of another form.
    public static func read(_ value: String) -> (keyID: [UInt8], assertion: [UInt8])? {
        guard value.isShortASCII(atMost: maximumBytes) else { return nil }
        let parts = value.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, let keyID = Base64URL.decode(parts[0]), let assertion = Base64URL.decode(parts[1]),
            !keyID.isEmpty, !assertion.isEmpty
        else { return nil }
        return (keyID, assertion)
    }

    /// Returns the client data of a request's assertion: the method, the path without a query and the SHA-256 hash of the body
    /// in lower-case hexadecimal, separated by line feeds. The SHA-256 hash of the client data is what App Attest signs.
    ///
    /// - Parameter path: The whole path, with that of the base URL.
    public static func clientData(method: String, path: String, bodySHA256: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        let hash = bodySHA256.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0x0F)]] }
        return Array("\(method)\n\(path)\n".utf8) + hash
    }
}
