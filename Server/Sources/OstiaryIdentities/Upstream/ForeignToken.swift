import OstiaryContracts
import OstiaryEngine

/// A parsed signed token of an upstream provider, not yet verified. Source: RFC 7515 §7.1.
struct ForeignToken: Sendable {
    /// The length limit of a token, in bytes. Longer tokens are rejected before they are parsed.
    static let maximumBytes = 16_384

    let algorithm: SignatureAlgorithm
    let kid: String?
    let claims: JSON
    let signature: [UInt8]
    let signingInput: [UInt8]

    /// Parses a token; nil unless it has three non-empty parts, each in canonical base64url, with a header that names a
    /// supported algorithm and no unsupported extension.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumBytes else { return nil }
        let bytes = Array(text.utf8)
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty }),
            let head = Base64URL.decode(parts[0]), let header = try? JSON.read(head), case .object = header,
            let body = Base64URL.decode(parts[1]), let claims = try? JSON.read(body), case .object = claims,
            let signature = Base64URL.decode(parts[2]),
            case .string(let name)? = header["alg"], name.utf8.count <= 16,
            let algorithm = SignatureAlgorithm(rawValue: name),
            header["crit"] == nil, header["b64"] == nil, Self.mayBeIDToken(header["typ"])
        else { return nil }
        switch header["kid"] {
        case nil: kid = nil
        case .string(let name)?: kid = name
        default: return nil
        }
        self.algorithm = algorithm
        self.claims = claims
        self.signature = signature
        signingInput = Array(bytes[..<parts[1].endIndex])
    }

    /// Returns `false` for a token that declares another type, such as an access token. Source: RFC 8725 §3.11.
    private static func mayBeIDToken(_ type: JSON?) -> Bool {
        switch type {
        case nil: true
        case .string(let type)?: !type.utf8.suffix(4).map { $0 | 0x20 }.elementsEqual("+jwt".utf8)
        default: false
        }
    }
}
