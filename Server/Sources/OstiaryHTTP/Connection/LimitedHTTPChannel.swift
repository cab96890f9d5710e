import HummingbirdCore
import Logging
import NIOCore
import NIOSSL
import OstiaryEngine

/// An HTTP/1.1 connection, with or without TLS, that enforces its limits.
struct LimitedHTTPChannel: ServerChildChannel {
    /// The result of accepting a connection.
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        /// Succeeds when the connection has ended and its last request is answered.
        let end: EventLoopFuture<Void>
    }

    let responder: any RequestResponder
    let settings: @Sendable () -> ConnectionSettings
    let metrics: ConnectionMetrics
    let refusalResponse: @Sendable (RequestRefusal) -> ServerResponse

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let settings = settings()
        let limits = settings.limits
        let peer = channel.remoteAddress?.ipAddress.flatMap { IPAddress($0) }
        let network = Self.network(of: peer, trusting: settings.proxies)
        guard metrics.admit(capacity: limits.connections, network: network, share: limits.connectionsPerNetwork) else {
            channel.close(promise: nil)
            return channel.eventLoop.makeSucceededFuture(
                Value(channel: channel, end: channel.eventLoop.makeSucceededVoidFuture()))
        }
        channel.closeFuture.whenComplete { [metrics] _ in metrics.release(network: network) }
        do {
            // SwiftNIO runs all tasks of an event loop before it looks at sockets again. The input of one read, which
            // may hold many small requests, therefore bounds the work for one connection before the others are served.
            try channel.syncOptions?.setOption(
                .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: limits.bytesPerRead))
            try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
            let pipeline = channel.pipeline.syncOperations
            try addHandlers(to: pipeline, settings, logger: logger)
            let dispatch = RequestDispatchHandler(
                responder: responder, peer: peer ?? IPAddress.unspecified, eventLoop: channel.eventLoop)
            try pipeline.addHandler(dispatch)
            return channel.eventLoop.makeSucceededFuture(Value(channel: channel, end: dispatch.end))
        } catch {
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(error)
        }
    }

    /// Returns the network that a connection is counted under; nil for one of a trusted proxy.
    private static func network(of peer: IPAddress?, trusting proxies: ProxyTrust) -> IPAddress? {
        guard let peer, !proxies.isTrusted(peer) else { return nil }
        return NetworkShares.network(of: peer)
    }

    /// Waits for the end of a connection, which answers its requests itself.
    func handle(value: Value, logger: Logger) async {
        await withTaskCancellationHandler {
            // It only succeeds.
            try? await value.end.get()
        } onCancel: {
            value.channel.close(mode: .input, promise: nil)
        }
    }

    /// Adds every handler between the socket and the routes.
    func addHandlers(
        to pipeline: ChannelPipeline.SynchronousOperations, _ settings: ConnectionSettings, logger: Logger
    ) throws {
        let limits = settings.limits
        try pipeline.addHandler(WriteDeadlineHandler(limits: limits, metrics: metrics))
        if let certificate = settings.certificate {
            try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context))
        }
        try pipeline.addHandler(RequestFramingHandler(limits: limits))
        try pipeline.addHandler(ResponseEncoder())
        try pipeline.addHandler(
            ConnectionLifecycleHandler(
                limits: limits, metrics: metrics, logger: logger, refusalResponse: refusalResponse))
    }
}
