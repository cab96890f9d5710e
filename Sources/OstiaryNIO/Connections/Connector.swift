#if NIO
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import OstiaryClient
import Synchronization

/// A factory of connections to servers that have proved their identity.
struct Connector: Sendable {
    let group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    private let context: NIOSSLContext
    private let trust: ServerTrust
    private let limits: ExchangeLimits

    init(trust: ServerTrust, limits: ExchangeLimits) throws {
        context = try NIOSSLContext(configuration: .client())
        self.trust = trust
        self.limits = limits
    }

    /// Opens a connection for one call. The future fails with a ``TransportError``.
    func connect(for call: Call, in pool: ConnectionPool) -> EventLoopFuture<any Channel> {
        let verdict = Verdict()
        let origin = call.origin
        let loop = group.next()
        // One handler for each address that is tried. A channel that has failed no longer has its handler, which knows
        // the reason.
        let handlers = NIOLoopBoundBox.makeBoxSendingValue([ObjectIdentifier: ExchangeHandler](), eventLoop: loop)
        return ClientBootstrap(group: loop)
            .connectTimeout(max(call.deadline - .now(), .nanoseconds(1)))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if origin.isEncrypted { try pipeline.addHandler(tls(for: origin, verdict)) }
                    try pipeline.addHandler(encoder())
                    try pipeline.addHandler(ByteToMessageHandler(decoder()))
                    let handler = ExchangeHandler(origin: origin, limits: limits, pool: pool)
                    handlers.value[ObjectIdentifier(channel)] = handler
                    try pipeline.addHandler(handler)
                }
            }
            .connect(host: origin.host, port: origin.port)
            .flatMap { channel in
                // A handshake is continued only while the call waits for it.
                guard call.attach(channel) else {
                    return channel.close().flatMapThrowing { throw TransportError.cancelled }
                }
                guard let handler = handlers.value[ObjectIdentifier(channel)] else {
                    return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
                }
                return handler.ready(on: channel).map {
                    _ = call.detach()
                    return channel
                }
            }
            .flatMapErrorThrowing { error in throw verdict.problem ?? TransportError(opening: error) }
    }

    /// Creates an encoder that adds no framing headers: the call carries its own.
    private func encoder() -> HTTPRequestEncoder {
        var configuration = HTTPRequestEncoder.Configuration()
        configuration.automaticallySetFramingHeaders = false
        return HTTPRequestEncoder(configuration: configuration)
    }

    private func decoder() -> HTTPResponseDecoder {
        var configuration = NIOHTTPDecoderLimitConfiguration()
        configuration.maxHeaderFieldSize = limits.headerBytes
        configuration.maxHeaderListSize = limits.headerBytes
        configuration.maxHeaderFieldCount = limits.headerCount
        return HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: configuration)
    }

    /// Creates the TLS handler. The callback replaces the whole certificate verification of BoringSSL.
    private func tls(for origin: Origin, _ verdict: Verdict) throws -> NIOSSLClientHandler {
        try NIOSSLClientHandler(context: context, serverHostname: origin.isAddress ? nil : origin.host) {
            [trust] (presented, promise: EventLoopPromise<NIOSSLVerificationResult>) in
            let certificates = presented.map { try? $0.toDERBytes() }
            promise.completeWithTask {
                do throws(TransportError) {
                    try await trust.check(certificates, of: origin)
                    return .certificateVerified
                } catch {
                    verdict.problem = error
                    return .failed
                }
            }
        }
    }

    /// The reason why this side ended a handshake. NIOSSL reports only that the handshake failed.
    private final class Verdict: Sendable {
        private let stored = Mutex<TransportError?>(nil)

        var problem: TransportError? {
            get { stored.withLock { $0 } }
            set { stored.withLock { $0 = newValue } }
        }
    }
}

extension TLSConfiguration {
    /// Requires TLS 1.2 or later. ``ServerTrust`` has the roots, so BoringSSL does not load the system's.
    static func client() -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.trustRoots = .certificates([])
        configuration.applicationProtocols = ["http/1.1"]
        configuration.shutdownTimeout = .seconds(1)
        return configuration
    }
}
#endif
