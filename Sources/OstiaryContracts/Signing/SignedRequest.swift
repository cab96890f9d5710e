/// A request that says it is signed, as far as that can be read without the key.
public struct SignedRequest: Hashable, Sendable {
    public let input: SignatureInput
    /// 32 bytes; whether they are the body's digest, whoever has the body must see.
    public let contentSHA256: [UInt8]
    /// What the signature must be of.
    public let base: [UInt8]
    /// 32 bytes.
    public let signature: [UInt8]

    /// Whether a request claims to be signed, well or badly.
    public static func isClaimed(by headers: [String: String]) -> Bool {
        headers[SignatureHeader.signature] != nil || headers[SignatureHeader.input] != nil
    }

    /// - Parameter request: With the path that the client wrote.
    /// - Returns: Nil where a header is missing or not of the one form.
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

    /// Every part as it stands in the request, and nothing decoded: `%2F` is not `/`, `+` is not `%20`, and the order of
    /// parameters counts. Two things are one: no path and `/`; no query and an empty one. Source: RFC 9421 §2.2.
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
    /// This request with the headers that sign it, in place of any it had.
    ///
    /// - Parameters:
    ///   - path: What stands in the request line before the query: the base URL's path, then the request's.
    ///   - contentSHA256: Of the body.
    ///   - mac: The HMAC-SHA256 of what it is given.
    /// - Returns: Nil for a request without an `Authorization` header: no session signs it.
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
