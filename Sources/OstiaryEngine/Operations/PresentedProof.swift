public import OstiaryCore

/// The proof of possession that a request presented, with the request that it must be made for.
public struct PresentedProof: Hashable, Sendable {
    /// The proof; `nil` for a request without one.
    public var proof: DPoPProof?
    /// `true` if the request has a proof that cannot be read, or several.
    public var isUnreadable: Bool
    /// `true` if the access token came with the scheme `DPoP`, and not as a bearer token.
    public var hasScheme: Bool
    /// The HTTP method of the request.
    public var method: String
    /// The URL of the request as its client knows it, without the query. From the configuration and the request's target,
    /// never from a header with a host.
    public var url: String

    /// Creates a presented proof from its parts.
    public init(
        proof: DPoPProof?, isUnreadable: Bool = false, hasScheme: Bool = false, method: String, url: String
    ) {
        self.proof = proof
        self.isUnreadable = isUnreadable
        self.hasScheme = hasScheme
        self.method = method
        self.url = url
    }
}

/// A proof whose signature, request and time were verified. That it is used once is not yet established.
struct VerifiedProof: Sendable {
    /// The thumbprint of its key, 43 characters. Source: RFC 7638.
    var thumbprint: String
    /// The identifier, unique with the key.
    var id: String
    /// The time of creation in seconds since 1970.
    var issuedAt: Int
}
