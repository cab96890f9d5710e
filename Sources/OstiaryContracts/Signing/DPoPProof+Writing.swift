public import OstiaryCore

extension DPoPProof {
    /// Returns the header and the claims as the signing input of a proof; its own ``signingInput`` and ``signature`` are not
    /// used.
    public func unsigned() -> [UInt8] {
        let header: JSON = [
            "typ": .string(Self.type), "alg": .string(DPoPHeader.algorithm), "jwk": key.jwk,
        ]
        var claims: [JSON.Member] = [
            JSON.Member("jti", .string(id)), JSON.Member("htm", .string(method)), JSON.Member("htu", .string(url)),
            JSON.Member("iat", .integer(issuedAt)),
        ]
        if let accessTokenHash { claims.append(JSON.Member("ath", .string(accessTokenHash))) }
        if let nonce { claims.append(JSON.Member("nonce", .string(nonce))) }
        return Array("\(Base64URL.encode(header.bytes)).\(Base64URL.encode(JSON.object(claims).bytes))".utf8)
    }

    /// Returns the value of the header `DPoP`.
    ///
    /// - Parameters:
    ///   - input: The result of ``unsigned()``.
    ///   - signature: Its signature with ES256, 64 bytes.
    public static func header(_ input: [UInt8], signature: [UInt8]) -> String {
        "\(String(decoding: input, as: UTF8.self)).\(Base64URL.encode(signature))"
    }
}
