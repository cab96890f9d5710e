import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import NIOSSL
import OstiaryEngine

/// An HTTP/1.1 connection, with or without TLS, that enforces its limits.
struct LimitedHTTPChannel: HTTPChannelHandler {
    /// The result of accepting a connection.
    enum Value: ServerChildChannelValue {
        case served(NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>)
        case overCapacity(any Channel)

        var channel: any Channel {
            switch self {
            case .served(let channel): channel.channel
            case .overCapacity(let channel): channel
            }
        }
    }

    let responder: HTTPChannelHandler.Responder
    let settings: @Sendable () -> ConnectionSettings
    let metrics: ConnectionMetrics
    let refusalResponse: @Sendable (RequestRefusal) -> ServerResponse

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let settings = settings()
        let limits = settings.limits
        let network = Self.network(of: channel, trusting: settings.proxies)
        guard metrics.admit(capacity: limits.connections, network: network, share: limits.connectionsPerNetwork) else {
            channel.close(promise: nil)
            return channel.eventLoop.makeSucceededFuture(.overCapacity(channel))
        }
        channel.closeFuture.whenComplete { [metrics] _ in metrics.release(network: network) }
        do {
            // SwiftNIO runs all tasks of an event loop before it looks at sockets again. The input of one read, which
            // may hold many small requests, therefore bounds the work for one connection before the others are served.
            try channel.syncOptions?.setOption(
                .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: limits.bytesPerRead))
            try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
            return channel.eventLoop.makeSucceededFuture(
                .served(try pipeline(on: channel, settings, logger: logger).keptUntilClosed()))
        } catch {
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(error)
        }
    }

    /// Returns the network that a connection is counted under; nil for one of a trusted proxy.
    private static func network(of channel: any Channel, trusting proxies: ProxyTrust) -> IPAddress? {
        guard let peer = channel.remoteAddress?.ipAddress.flatMap({ IPAddress($0) }), !proxies.isTrusted(peer) else {
            return nil
        }
        return NetworkShares.network(of: peer)
    }

    func handle(value: Value, logger: Logger) async {
        guard case .served(let channel) = value else { return }
        await withTaskExecutorPreference(EventLoopTaskExecutor(channel.channel.eventLoop)) {
            await handleHTTP(asyncChannel: channel, logger: logger)
        }
    }

    private func pipeline(
        on channel: any Channel, _ settings: ConnectionSettings, logger: Logger
    ) throws -> NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart> {
        try addHandlers(to: channel.pipeline.syncOperations, settings, logger: logger)
        return try NIOAsyncChannel(
            wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
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
        try pipeline.addHandler(RequestFramingHandler(limits: limits, isSecure: settings.certificate != nil))
        try pipeline.addHandler(ResponseEncoder())
        try pipeline.addHandler(
            ConnectionLifecycleHandler(
                limits: limits, metrics: metrics, logger: logger, refusalResponse: refusalResponse))
    }
}
