/// A DPoP proof as its sender wrote it; the signature is not verified. Source: RFC 9449 §4.2.
public struct DPoPProof: Hashable, Sendable {
    /// The public key that claims to have signed the proof, `jwk`.
    public var key: P256PublicKey
    /// The unique identifier, `jti`.
    public var id: String
    /// The HTTP method, `htm`.
    public var method: String
    /// The URL of the request, `htu`.
    public var url: String
    /// The time of creation in seconds since 1970, `iat`, as claimed by the sender.
    public var issuedAt: Int
    /// The base64url of the SHA-256 of the access token, `ath`; nil for a request without one.
    public var accessTokenHash: String?
    /// The server's nonce; nil if the sender knows none.
    public var nonce: String?
    /// The signed bytes.
    public var signingInput: [UInt8]
    /// The signature of ``signingInput``, 64 bytes.
    public var signature: [UInt8]

    /// Creates a proof from its parts.
    public init(
        key: P256PublicKey, id: String, method: String, url: String, issuedAt: Int, accessTokenHash: String? = nil,
        nonce: String? = nil, signingInput: [UInt8] = [], signature: [UInt8] = []
    ) {
        self.key = key
        self.id = id
        self.method = method
        self.url = url
        self.issuedAt = issuedAt
        self.accessTokenHash = accessTokenHash
        self.nonce = nonce
        self.signingInput = signingInput
        self.signature = signature
    }
}

/// The coordinates of a public key on the curve P-256; not verified to be a point of it. Source: RFC 7518 §6.2.1.
public struct P256PublicKey: Hashable, Sendable {
    /// The coordinate `x`, 32 bytes.
    public let x: [UInt8]
    /// The coordinate `y`, 32 bytes.
    public let y: [UInt8]

    /// The length of a coordinate, in bytes.
    public static let coordinateBytes = 32

    /// Creates a key from its coordinates.
    ///
    /// - Returns: Nil unless both have 32 bytes.
    public init?(x: [UInt8], y: [UInt8]) {
        guard x.count == Self.coordinateBytes, y.count == Self.coordinateBytes else { return nil }
        self.x = x
        self.y = y
    }

    /// Creates a key from `x` followed by `y`.
    ///
    /// - Returns: Nil unless there are 64 bytes.
    public init?(rawRepresentation bytes: [UInt8]) {
        guard bytes.count == 2 * Self.coordinateBytes else { return nil }
        self.init(x: Array(bytes[..<Self.coordinateBytes]), y: Array(bytes[Self.coordinateBytes...]))
    }

    /// The coordinate `x` followed by `y`.
    public var rawRepresentation: [UInt8] { x + y }

    /// The bytes whose SHA-256 is the key's thumbprint: the required members in lexicographic order. Source: RFC 7638
    /// §3.2.
    public var thumbprintInput: [UInt8] {
        let (x, y) = (Base64URL.encode(x), Base64URL.encode(y))
        return Array(#"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#.utf8)
    }
}
