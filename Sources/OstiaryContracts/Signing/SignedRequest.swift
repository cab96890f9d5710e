/// A request with a well-formed signature, as far as it can be checked without the key.
public struct SignedRequest: Hashable, Sendable {
    /// The parameters of the signature.
    public let input: SignatureInput
    /// The 32 bytes of the declared body digest; the caller that has the body must verify them.
    public let contentSHA256: [UInt8]
    /// The signature base that the signature must match.
    public let base: [UInt8]
    /// The signature, 32 bytes.
    public let signature: [UInt8]

    /// Returns `true` if a request claims to be signed, whether its headers are well formed or not.
    public static func isClaimed(by headers: [String: String]) -> Bool {
        headers[SignatureHeader.signature] != nil || headers[SignatureHeader.input] != nil
    }

    /// Parses the headers of a signed request.
    ///
    /// - Parameter request: The request, with the path as the client wrote it.
    /// - Returns: Nil if a header is missing or malformed.
    public init?(_ request: WireRequest) {
        guard let input = request.headers[SignatureHeader.input].flatMap({ SignatureInput(header: $0) }),
            let signature = request.headers[SignatureHeader.signature].flatMap({ SignatureHeader.read($0) }),
            let digest = request.headers[SignatureHeader.digest],
            let contentSHA256 = ContentDigest.read(digest),
            let authorization = request.headers["authorization"]
        else { return nil }
        self.input = input
        self.signature = signature
        self.contentSHA256 = contentSHA256
        base = Self.base(of: request, digest: digest, authorization: authorization, input)
    }

    /// Returns the signature base. Each component is used as it is in the request, without decoding: `%2F` differs from
    /// `/`, `+` differs from `%20`, and the order of parameters is significant. Two pairs are equivalent: no path and
    /// `/`; no query and an empty one. Source: RFC 9421 §2.2.
    static func base(
        of request: WireRequest, digest: String, authorization: String, _ input: SignatureInput
    ) -> [UInt8] {
        SignatureBase.write(
            [
                .init("@method", request.method), .init("@path", request.path.isEmpty ? "/" : request.path),
                .init("@query", "?\(request.query)"), .init("content-digest", digest),
                .init("authorization", authorization),
            ], parameters: input.parameters)
    }
}

extension WireRequest {
    /// Returns this request with the headers that sign it; they replace existing ones.
    ///
    /// - Parameters:
    ///   - input: The parameters of the signature.
    ///   - path: The path of the request line, without the query: the base URL's path, then the request's.
    ///   - contentSHA256: The SHA-256 digest of the body.
    ///   - mac: Returns the HMAC-SHA256 of its argument.
    /// - Returns: Nil for a request without an `Authorization` header, which belongs to no session.
    public func signed(
        _ input: SignatureInput, path: String, contentSHA256: [UInt8], by mac: ([UInt8]) -> [UInt8]
    ) -> WireRequest? {
        guard let authorization = headers["authorization"] else { return nil }
        var whole = self
        whole.path = path
        let digest = ContentDigest.write(sha256: contentSHA256)
        let base = SignedRequest.base(of: whole, digest: digest, authorization: authorization, input)
        var request = self
        request.headers[SignatureHeader.digest] = digest
        request.headers[SignatureHeader.input] = input.header
        request.headers[SignatureHeader.signature] = SignatureHeader.write(mac(base))
        return request
    }
}
