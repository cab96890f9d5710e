/// A signed token in compact serialization, whose signature is not verified. Source: RFC 7515 §7.1.
public struct CompactJWS: Sendable {
    /// The decoded header; any bytes.
    public let header: [UInt8]
    /// The decoded payload; any bytes.
    public let payload: [UInt8]
    /// The decoded signature.
    public let signature: [UInt8]
    /// The signed bytes: the encoded header and payload, and the dot between them.
    public let signingInput: ArraySlice<UInt8>

    /// Splits and decodes a token.
    ///
    /// - Parameter maximumBytes: The length limit of the token. A longer one is rejected before it is parsed.
    /// - Returns: `nil` unless the text has three non-empty parts, each in canonical base64url.
    public init?(_ text: String, atMost maximumBytes: Int = 16_384) {
        guard text.utf8.count <= maximumBytes else { return nil }
        let bytes = Array(text.utf8)
        let dots = bytes.indices.filter { bytes[$0] == UInt8(ascii: ".") }
        guard dots.count == 2, dots[0] > 0, dots[1] > dots[0] + 1, bytes.count > dots[1] + 1,
            let header = Base64URL.decode(bytes[..<dots[0]]),
            let payload = Base64URL.decode(bytes[(dots[0] + 1)..<dots[1]]),
            let signature = Base64URL.decode(bytes[(dots[1] + 1)...])
        else { return nil }
        self.header = header
        self.payload = payload
        self.signature = signature
        signingInput = bytes[..<dots[1]]
    }
}
