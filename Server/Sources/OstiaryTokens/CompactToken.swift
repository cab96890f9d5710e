import OstiaryContracts
import OstiaryCore

/// A parsed signed token whose signature is not yet verified. Source: RFC 7515 §7.1.
struct CompactToken {
    /// The length limit of a token, in bytes. Longer tokens are rejected before they are parsed.
    static let maximumBytes = 8192

    /// The header's members. A header with a member that is not a string is rejected: this server writes none.
    let header: [String: String]
    let payload: [UInt8]
    let signature: [UInt8]
    let signingInput: ArraySlice<UInt8>

    /// Creates a token from its text; nil unless the text has three non-empty parts, each in canonical base64url.
    init?(_ text: String) {
        guard let jws = CompactJWS(text, atMost: Self.maximumBytes), let members = Self.members(ofHeader: jws.header)
        else { return nil }
        self.header = members
        payload = jws.payload
        signature = jws.signature
        signingInput = jws.signingInput
    }

    /// The length limit of a header member's name and value, in bytes. This server writes no longer ones.
    private static let maximumHeaderTextBytes = 128

    /// Returns the members of a header; nil if a name occurs twice, or a name or value is not short ASCII text.
    private static func members(ofHeader bytes: [UInt8]) -> [String: String]? {
        guard case .object(let list)? = try? JSON.read(bytes) else { return nil }
        var members: [String: String] = [:]
        for member in list {
            guard case .string(let value) = member.value, isHeaderText(member.name), isHeaderText(value) else {
                return nil
            }
            members[member.name] = value
        }
        return members
    }

    private static func isHeaderText(_ text: String) -> Bool {
        text.utf8.count <= maximumHeaderTextBytes && text.utf8.allSatisfy { $0 < 0x80 }
    }

    /// The claims, to be read once the signature is verified; nil for a payload that is no set of claims.
    var claims: ClaimSet? { ClaimSet(payload) }

    /// Signs claims and serializes them as a token.
    ///
    /// - Throws: ``TokenError/tokenTooLong`` if the token would exceed ``maximumBytes``, which every reader rejects.
    static func write(_ claims: some Encodable, signedBy key: TokenKey) throws -> String {
        try write(canonicalJSON(claims), signedBy: key)
    }

    /// - Parameter payload: The claims in JSON.
    static func write(_ payload: [UInt8], signedBy key: TokenKey) throws -> String {
        var token = key.encodedHeader
        token += "."
        token += Base64URL.encode(payload)
        let signature = try key.sign(Array(token.utf8))
        token += "."
        token += Base64URL.encode(signature)
        guard token.utf8.count <= maximumBytes else { throw TokenError.tokenTooLong }
        return token
    }
}
