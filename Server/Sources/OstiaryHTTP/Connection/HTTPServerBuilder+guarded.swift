package import HummingbirdCore

extension HTTPServerBuilder {
    /// An HTTP/1.1 server that enforces the limits of each connection.
    ///
    /// - Parameters:
    ///   - settings: Returns the settings of a connection that is being accepted.
    ///   - refusalResponse: The body, and its type, of the answer to a request that no route sees.
    package static func guarded(
        settings: @escaping @Sendable () -> ConnectionSettings = { ConnectionSettings() },
        metrics: ConnectionMetrics,
        refusalResponse: @escaping @Sendable (RequestRefusal) -> ServerResponse
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            LimitedHTTPChannel(
                responder: responder, settings: settings, metrics: metrics, refusalResponse: refusalResponse)
        }
    }
}
