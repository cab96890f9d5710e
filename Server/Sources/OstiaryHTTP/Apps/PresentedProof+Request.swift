import OstiaryContracts
import OstiaryCore
import OstiaryEngine

extension PresentedProof {
    /// Reads the proof of a request.
    ///
    /// - Parameters:
    ///   - url: The URL of the request as its client knows it.
    /// - Returns: Nil for a request that presents neither a proof nor a bound token.
    init?(of request: WireRequest, url: @autoclosure () -> String) {
        let header = request.headers[DPoPHeader.proof]
        let hasScheme = request.headers["authorization"].flatMap(DPoPHeader.token) != nil
        guard header != nil || hasScheme else { return nil }
        let proof = header.flatMap { DPoPProof($0) }
        self.init(
            proof: proof, isUnreadable: header != nil && proof == nil, hasScheme: hasScheme, method: request.method,
            url: url())
    }
}

extension WireRequest {
    /// The access token of `Authorization`, as a bearer token or as a bound one; nil for any other header.
    var accessToken: Secret<String>? {
        guard let header = headers["authorization"] else { return nil }
        return (BearerToken.read(header) ?? DPoPHeader.token(in: header)).map { Secret($0) }
    }

    /// The request with its bound token as a bearer token, which contracts read.
    var withBearerToken: WireRequest {
        guard let token = headers["authorization"].flatMap(DPoPHeader.token) else { return self }
        var request = self
        request.headers["authorization"] = BearerToken.write(token)
        return request
    }
}

extension ServerResponse {
    /// Returns the response with the nonce that the client's next proof should carry. Source: RFC 9449 §8.2.
    func addingNonce(of engine: AuthEngine, to request: WireRequest) -> ServerResponse {
        engine.app.dpop.requirement == .off ? self : addingNonce(engine.dpopNonce, to: request)
    }

    /// Returns the response with a nonce, if the request has a proof.
    func addingNonce(_ nonce: @autoclosure () -> String, to request: WireRequest) -> ServerResponse {
        guard request.headers[DPoPHeader.proof] != nil, self.headers[DPoPHeader.nonce] == nil else { return self }
        var response = self
        response.headers[DPoPHeader.nonce] = nonce()
        return response
    }
}
