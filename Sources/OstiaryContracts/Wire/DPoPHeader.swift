import OstiaryCore

/// The headers of requests with a proof of possession and of their answers, the same in every contract. Source: RFC 9449.
public enum DPoPHeader {
    /// The header with the proof, in lower case.
    public static let proof = "dpop"
    /// The header of an answer with the server's nonce, in lower case.
    public static let nonce = "dpop-nonce"
    /// The type of a bound access token, and its scheme in `Authorization`.
    public static let tokenType = "DPoP"
    /// The algorithm of proofs.
    public static let algorithm = "ES256"
    /// The maximum length of a nonce, in bytes.
    static let maximumNonceBytes = 256

    /// Returns the value of `Authorization` for a bound access token.
    public static func authorization(_ token: String) -> String { "\(tokenType) \(token)" }

    /// Returns the access token of `Authorization` with the scheme `DPoP`.
    ///
    /// - Returns: Nil for another scheme and for any number of tokens other than one.
    public static func token(in header: String) -> String? {
        // Every request with a token asks, and most have another scheme.
        guard header.utf8.lazy.map({ $0 | 0x20 }).starts(with: "dpop ".utf8) else { return nil }
        let parts = header.utf8.split(separator: UInt8(ascii: " "))
        return parts.count == 2 ? String(Substring(parts[1])) : nil
    }

    /// Returns the nonce of an answer; nil where there is none that a proof can carry.
    public static func nonce(in response: WireResponse) -> String? {
        guard let nonce = response.headers[nonce], !nonce.isEmpty, nonce.isShortASCII(atMost: maximumNonceBytes),
            nonce.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C })
        else { return nil }
        return nonce
    }

    /// Returns the value of `WWW-Authenticate` that asks for a proof.
    ///
    /// - Parameter error: The error code; nil for a request that carried no proof. Source: RFC 9449 §7.1.
    public static func challenge(error: String?) -> String {
        let error = error.map { "error=\"\($0)\", " } ?? ""
        return "\(tokenType) \(error)algs=\"\(algorithm)\""
    }

    /// Returns `true` if an answer asks for the same request with another nonce. Source: RFC 9449 §8, §9.
    public static func asksForNonce(_ response: WireResponse) -> Bool {
        guard response.status == 401 || response.status == 400, nonce(in: response) != nil else { return false }
        let code = "use_dpop_nonce"
        if let challenge = response.headers["www-authenticate"], challenge.isShortASCII(atMost: 1024) {
            return challenge.contains("error=\"\(code)\"")
        }
        let body = (try? JSON.read(response.body)) ?? .null
        return body["error"] == .string(code) || body[Codec.Key.code] == .string(code)
    }
}
