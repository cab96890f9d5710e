package import HummingbirdCore

extension HTTPServerBuilder {
    /// An HTTP/1.1 server that enforces the limits of each connection.
    ///
    /// - Parameters:
    ///   - certificate: The TLS certificate; nil for plain HTTP.
    ///   - proxies: The trusted proxies, whose connections are not counted by network.
    ///   - refusalResponse: The body, and its type, of the answer to a request that no route sees.
    package static func guarded(
        limits: ConnectionLimits = ConnectionLimits(),
        certificate: TLSCertificate? = nil,
        proxies: ProxyTrust = ProxyTrust(),
        metrics: ConnectionMetrics,
        refusalResponse: @escaping @Sendable (RequestRefusal) -> ServerResponse
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            LimitedHTTPChannel(
                responder: responder, limits: limits, certificate: certificate, proxies: proxies, metrics: metrics,
                refusalResponse: refusalResponse)
        }
    }
}
