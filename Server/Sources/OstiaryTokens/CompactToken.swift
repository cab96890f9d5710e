import OstiaryEngine
import Foundation
import OstiaryContracts

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
            let members = Self.members(ofHeader: header)
        else { return nil }
        self.header = members
        self.payload = payload
        self.signature = signature
        self.signingInput = bytes[..<dots[1]]
    }

    /// Longer names and values are in no header of ours.
    private static let maximumHeaderTextBytes = 128

    /// The members of a header, each once; nil where one is no short ASCII text.
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

    /// The claims of a token whose signature was checked; nil if they are not those, or one stands there twice: two
    /// readers could each take another one. Source: RFC 8725 §2.4, RFC 7519 §4.
    func claims<Claims: Decodable>(_ type: Claims.Type) -> Claims? {
        guard case .object? = try? JSON.read(payload) else { return nil }
        return try? JSONDecoder().decode(type, from: Data(payload))
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
