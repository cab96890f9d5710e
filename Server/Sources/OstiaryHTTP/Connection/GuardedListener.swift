import HummingbirdCore
package import Logging
package import NIOCore
import NIOPosix
import ServiceLifecycle

/// A listener for HTTP/1.1 that enforces the limits of each connection.
package struct GuardedListener: Service {
    private let server: Server<LimitedHTTPChannel>

    /// - Parameters:
    ///   - backlog: The connections that may wait to be accepted.
    ///   - settings: Returns the settings of a connection that is being accepted.
    ///   - refusalResponse: The body, and its type, of the answer to a request that no route sees.
    ///   - onServerRunning: Receives the listening channel.
    package init(
        _ responder: any RequestResponder, host: String, port: Int, backlog: Int = 1024,
        settings: @escaping @Sendable () -> ConnectionSettings = { ConnectionSettings() },
        metrics: ConnectionMetrics,
        refusalResponse: @escaping @Sendable (RequestRefusal) -> ServerResponse,
        logger: Logger,
        onServerRunning: @escaping @Sendable (any Channel) async -> Void
    ) {
        server = Server(
            childChannelSetup: LimitedHTTPChannel(
                responder: responder, settings: settings, metrics: metrics, refusalResponse: refusalResponse),
            configuration: ServerConfiguration(address: .hostname(host, port: port), backlog: backlog),
            onServerRunning: onServerRunning, eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger)
    }

    package func run() async throws { try await server.run() }
}
