import OstiaryEngine
import Foundation

/// A signed token, taken apart but not yet checked. Source: RFC 7515 §7.1.
struct CompactToken {
    /// Longer ones are refused unread.
    static let maximumBytes = 8192

    /// A header with anything but strings in it is none of ours.
    let header: [String: String]
    let payload: [UInt8]
    let signature: [UInt8]
    let signingInput: ArraySlice<UInt8>

    /// Nil unless the text is three parts of which none is empty, each in its only spelling.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumBytes else { return nil }
        let bytes = Array(text.utf8)
        let dots = bytes.indices.filter { bytes[$0] == UInt8(ascii: ".") }
        guard dots.count == 2, dots[0] > 0, dots[1] > dots[0] + 1, bytes.count > dots[1] + 1,
            let header = Base64URL.decode(bytes[..<dots[0]]),
            let payload = Base64URL.decode(bytes[(dots[0] + 1)..<dots[1]]),
            let signature = Base64URL.decode(bytes[(dots[1] + 1)...]),
            let members = try? JSONDecoder().decode([String: String].self, from: Data(header))
        else { return nil }
        self.header = members
        self.payload = payload
        self.signature = signature
        self.signingInput = bytes[..<dots[1]]
    }

    /// Signs claims and writes them as a token.
    ///
    /// - Throws: ``TokenError/tokenTooLong`` if nobody would read it.
    static func write(_ claims: some Encodable, signedBy key: TokenKey) throws -> String {
        let signingInput = "\(key.encodedHeader).\(Base64URL.encode(try canonicalJSON(claims)))"
        let token = "\(signingInput).\(Base64URL.encode(try key.sign(Array(signingInput.utf8))))"
        guard token.utf8.count <= maximumBytes else { throw TokenError.tokenTooLong }
        return token
    }
}
