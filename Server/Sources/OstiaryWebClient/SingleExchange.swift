import NIOCore
package import NIOHTTP1
import NIOPosix
package import NIOSSL
import Synchronization

/// An HTTP/1.1 request on a connection of its own, whose answer is taken in parts as it comes, with every header as it was sent.
package struct SingleExchange: Sendable {
    /// The place that a connection leads to.
    package enum Server: Sendable {
        /// A Unix domain socket.
        case socket(path: String)
        /// A port of a host, over plain HTTP without `tls`.
        case host(String, port: Int, tls: NIOSSLContext?)
    }

    /// The reason why an answer is not complete. Other errors are those of SwiftNIO.
    package enum Problem: Error, Hashable, Sendable {
        /// The connection ended before the answer did.
        case incomplete
        case timedOut
    }

    private let server: Server
    private let head: HTTPRequestHead
    private let body: [UInt8]

    /// - Parameters:
    ///   - target: Path and query, percent-encoded.
    ///   - headers: The headers beyond those of the framing and the connection.
    package init(
        _ method: HTTPMethod, _ target: String, of server: Server, headers: [(String, String)], body: [UInt8] = []
    ) {
        var framed = HTTPHeaders([("Connection", "close"), ("Host", server.authority)] + headers)
        if !body.isEmpty { framed.add(name: "Content-Length", value: "\(body.count)") }
        self.server = server
        self.body = body
        head = HTTPRequestHead(version: .http1_1, method: method, uri: target, headers: framed)
    }

    /// Sends the request and takes the parts of the answer until its end.
    ///
    /// - Parameter deadline: The time for everything; nil for no limit. A connection has five seconds of it.
    /// - Throws: ``Problem``, an error of `take`, or one of SwiftNIO.
    package func perform(
        within deadline: Duration?, _ take: (HTTPClientResponsePart) async throws -> Void
    ) async throws {
        let end = deadline.map { NIODeadline.now() + TimeAmount($0) }
        let channel = try await connect(within: deadline.map { min($0, Self.connecting) } ?? Self.connecting)
        let isLate = Atomic(false)
        let timer = end.map { end in
            channel.channel.eventLoop.scheduleTask(deadline: end) {
                isLate.store(true, ordering: .relaxed)
                channel.channel.close(promise: nil)
            }
        }
        defer { timer?.cancel() }
        do {
            try await channel.executeThenClose { parts, _ in
                for try await part in parts {
                    try await take(part)
                    if case .end = part { return }
                }
                try Task.checkCancellation()
                throw Problem.incomplete
            }
        } catch {
            throw isLate.load(ordering: .relaxed) ? Problem.timedOut : error
        }
    }

    private static let connecting = Duration.seconds(5)

    private func connect(within time: Duration) async throws -> NIOAsyncChannel<HTTPClientResponsePart, Never> {
        let bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup).connectTimeout(TimeAmount(time))
        switch server {
        case .socket(let path):
            return try await bootstrap.connect(unixDomainSocketPath: path) { channel in prepare(channel, tls: nil) }
        case .host(let host, let port, let tls):
            let isAddress = (try? SocketAddress(ipAddress: host, port: port)) != nil
            return try await bootstrap.connect(host: host, port: port) { channel in
                prepare(channel, tls: tls.map { ($0, isAddress ? nil : host) })
            }
        }
    }

    private func prepare(
        _ channel: any Channel, tls: (context: NIOSSLContext, name: String?)?
    ) -> EventLoopFuture<NIOAsyncChannel<HTTPClientResponsePart, Never>> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            if let tls {
                try pipeline.addHandler(NIOSSLClientHandler(context: tls.context, serverHostname: tls.name))
            }
            try pipeline.addHTTPClientHandlers()
            try pipeline.addHandler(RequestWriter(head: head, body: body))
            return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
        }
    }
}

extension SingleExchange.Server {
    /// The value of the Host header. Source: RFC 9110 §7.2.
    fileprivate var authority: String {
        switch self {
        case .socket: "localhost"
        case .host(let host, let port, let tls):
            (host.contains(":") ? "[\(host)]" : host) + (port == (tls == nil ? 80 : 443) ? "" : ":\(port)")
        }
    }
}

/// Writes one request as soon as its connection is open.
private final class RequestWriter: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let head: HTTPRequestHead
    private let body: [UInt8]

    init(head: HTTPRequestHead, body: [UInt8]) {
        self.head = head
        self.body = body
    }

    func channelActive(context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !body.isEmpty { context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.fireChannelActive()
    }
}
