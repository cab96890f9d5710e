public import OstiaryCore

extension DPoPProof {
    /// The length limit of a proof, in bytes. A longer one is rejected before it is parsed.
    public static let maximumBytes = 8192
    /// The media type of a proof, `typ`.
    static let type = "dpop+jwt"

    private enum Limit {
        static let id = 256
        static let method = 32
        static let hash = 64
        static let nonce = DPoPHeader.maximumNonceBytes
        static let key = 64
    }

    /// Parses the value of the header `DPoP`.
    ///
    /// - Returns: Nil for a text that is no proof with ES256 and an embedded public key: several proofs, another type or
    ///   algorithm, an extension that must be understood, a private key, a duplicate name, a claim that is missing, of
    ///   another type or too long.
    public init?(_ text: String) {
        guard let jws = CompactJWS(text, atMost: Self.maximumBytes), jws.signature.count == 64,
            let header = try? JSON.read(jws.header), let claims = try? JSON.read(jws.payload),
            Self.text("typ", in: header, atMost: Self.type.utf8.count)?.utf8.elementsEqual(Self.type.utf8) == true,
            Self.text("alg", in: header, atMost: Limit.key)?.utf8.elementsEqual(DPoPHeader.algorithm.utf8) == true,
            header["crit"] == nil, let key = header["jwk"].flatMap(P256PublicKey.init(jwk:)),
            let id = Self.text("jti", in: claims, atMost: Limit.id),
            let method = Self.text("htm", in: claims, atMost: Limit.method),
            let url = Self.text("htu", in: claims, atMost: NormalizedURL.maximumBytes),
            case .integer(let issuedAt)? = claims["iat"],
            let hash = Self.optional("ath", in: claims, atMost: Limit.hash),
            let nonce = Self.optional("nonce", in: claims, atMost: Limit.nonce)
        else { return nil }
        self.init(
            key: key, id: id, method: method, url: url, issuedAt: issuedAt, accessTokenHash: hash, nonce: nonce,
            signingInput: Array(jws.signingInput), signature: jws.signature)
    }

    /// Returns a member that is absent, or a text.
    ///
    /// - Returns: Nil for a member that is neither; else the text, which may be nil.
    private static func optional(_ name: String, in json: JSON, atMost maximumBytes: Int) -> String?? {
        guard json[name] != nil else { return .some(nil) }
        guard let text = text(name, in: json, atMost: maximumBytes) else { return .none }
        return .some(text)
    }

    fileprivate static func text(_ name: String, in json: JSON, atMost maximumBytes: Int) -> String? {
        guard case .string(let text)? = json[name], !text.isEmpty, text.isShortASCII(atMost: maximumBytes) else {
            return nil
        }
        return text
    }
}

extension P256PublicKey {
    /// The members of a private or a symmetric key. Source: RFC 7518 §6.2.2, §6.3.2, §6.4.1.
    private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    /// Parses a JSON Web Key.
    ///
    /// - Returns: Nil for any key but a public one on P-256.
    init?(jwk: JSON) {
        guard case .object(let members) = jwk, members.count <= 16,
            DPoPProof.text("kty", in: jwk, atMost: 8)?.utf8.elementsEqual("EC".utf8) == true,
            DPoPProof.text("crv", in: jwk, atMost: 16)?.utf8.elementsEqual("P-256".utf8) == true,
            !Self.privateMembers.contains(where: { jwk[$0] != nil }),
            let x = DPoPProof.text("x", in: jwk, atMost: 64).flatMap({ Base64URL.decode($0.utf8) }),
            let y = DPoPProof.text("y", in: jwk, atMost: 64).flatMap({ Base64URL.decode($0.utf8) })
        else { return nil }
        self.init(x: x, y: y)
    }

    /// The key as a JSON Web Key.
    var jwk: JSON {
        [
            "kty": "EC", "crv": "P-256", "x": .string(Base64URL.encode(x)), "y": .string(Base64URL.encode(y)),
        ]
    }
}
