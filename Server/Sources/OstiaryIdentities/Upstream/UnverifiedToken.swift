import OstiaryContracts
import OstiaryCore

/// A parsed signed token of an upstream provider, not yet verified. Source: RFC 7515 §7.1.
struct UnverifiedToken: Sendable {
    let algorithm: SignatureAlgorithm
    let kid: String?
    let claims: JSON
    let signature: [UInt8]
    let signingInput: ArraySlice<UInt8>

    /// Parses a token; nil unless it has three non-empty parts, each in canonical base64url, with a header that names a
    /// supported algorithm and no unsupported extension.
    init?(_ text: String) {
        guard let jws = CompactJWS(text), let header = try? JSON.read(jws.header), case .object = header,
            let claims = try? JSON.read(jws.payload), case .object = claims,
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
        signature = jws.signature
        signingInput = jws.signingInput
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
