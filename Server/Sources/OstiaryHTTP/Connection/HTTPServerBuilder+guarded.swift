package import HummingbirdCore

extension HTTPServerBuilder {
    /// A server for HTTP/1.1 that keeps each connection to its limits.
    ///
    /// - Parameters:
    ///   - certificate: what the server speaks TLS with; nil for plain HTTP.
    ///   - proxies: Those whose connections count for no one network.
    ///   - refusalBody: the JSON body of an answer to a request that no route sees.
    package static func guarded(
        limits: ConnectionLimits = ConnectionLimits(),
        certificate: TLSCertificate? = nil,
        proxies: ProxyTrust = ProxyTrust(),
        metrics: ConnectionMetrics,
        refusalBody: @escaping @Sendable (RequestRefusal) -> String
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            GuardedHTTPChannel(
                responder: responder, limits: limits, certificate: certificate, proxies: proxies, metrics: metrics,
                refusalBody: refusalBody)
        }
    }
}
