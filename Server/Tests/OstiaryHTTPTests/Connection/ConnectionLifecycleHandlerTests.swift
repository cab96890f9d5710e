import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import OstiaryHTTP

/// One connection with its deadlines, on a clock that the test advances.
struct ConnectionLifecycleHandlerTests {
    /// A replacement for the routes: records its input, and answers on the test's command.
    private final class Routes: ChannelInboundHandler {
        typealias InboundIn = RequestPart
        var requests: [String] = []
        var ends = 0

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .whole(let request):
                requests.append(request.path)
                ends += 1
            case .head(let request): requests.append(request.path)
            case .body: break
            case .end: ends += 1
            }
        }
    }

    /// A client that accepts no output: writes stay unfinished.
    private final class Stalled: ChannelOutboundHandler {
        typealias OutboundIn = Any
        var writes: [EventLoopPromise<Void>?] = []

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            writes.append(promise)
        }
    }

    private struct Nobody: RequestResponder {
        func respond(to request: ReceivedRequest) async -> OutgoingResponse {
            OutgoingResponse(head: ResponseHead(status: 404), body: .bytes([]))
        }
    }

    private let loop = EmbeddedEventLoop()
    private let channel: EmbeddedChannel
    private let routes = Routes()
    private let metrics = ConnectionMetrics()

    init() throws {
        channel = EmbeddedChannel(loop: loop)
        try Self.guarded(metrics).addHandlers(
            to: channel.pipeline.syncOperations, ConnectionSettings(), logger: Self.silence)
        try channel.pipeline.syncOperations.addHandler(routes)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private static let silence = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static func guarded(_ metrics: ConnectionMetrics) -> LimitedHTTPChannel {
        LimitedHTTPChannel(
            responder: Nobody(), settings: { ConnectionSettings() },
            metrics: metrics,
            refusalResponse: { ServerResponse(status: $0.status, body: Array("{}".utf8)) })
    }

    private func send(_ text: String) { _ = try? channel.writeInbound(ByteBuffer(string: text)) }

    private func answer(_ body: String = "ok") throws {
        let response = WholeResponse(head: ResponseHead(status: 200), body: Array(body.utf8))
        try channel.writeOutbound(ResponsePart.whole(response))
    }

    private func sent() throws -> String {
        var all = ByteBuffer()
        while let part = try channel.readOutbound(as: IOData.self) {
            if case .byteBuffer(let bytes) = part { all.writeImmutableBuffer(bytes) }
        }
        return String(buffer: all)
    }

    private let get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let postHead = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n"

    @Test func `closes a connection that reached nobody, because the listener was closing`() throws {
        let channel = EmbeddedChannel(loop: loop)
        _ = try Self.guarded(metrics).setup(channel: channel, logger: Self.silence).wait()
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        #expect(channel.isActive)
        loop.advanceTime(by: .seconds(10))
        #expect(!channel.isActive)
    }

    @Test func `closes a connection without a word after ten seconds of nothing`() throws {
        loop.advanceTime(by: .milliseconds(9_999))
        #expect(channel.isActive)
        loop.advanceTime(by: .milliseconds(1))
        #expect(!channel.isActive)
        #expect(try sent() == "")
        #expect(metrics.counts.timedOut == [.header: 1])
    }

    @Test func `answers 408 to a header that drips for ten seconds`() throws {
        for byte in "GET /a HTT" {
            #expect(channel.isActive)
            send(String(byte))
            loop.advanceTime(by: .seconds(1))
        }
        #expect(!channel.isActive)
        #expect(try statuses(sent()) == [408])
        #expect(metrics.counts.timedOut == [.header: 1])
        #expect(routes.requests.isEmpty)
    }

    @Test func `measures a later header from its first byte`() throws {
        send(get)
        try answer()
        loop.advanceTime(by: .seconds(50))
        send("G")
        loop.advanceTime(by: .milliseconds(9_999))
        #expect(channel.isActive)
        loop.advanceTime(by: .milliseconds(1))
        #expect(!channel.isActive)
        #expect(try statuses(sent()) == [200, 408])
    }

    @Test func `answers 408 to a body that drips for thirty seconds`() throws {
        send(Self.postHead)
        for _ in 0..<30 {
            #expect(channel.isActive)
            send("x")
            loop.advanceTime(by: .seconds(1))
        }
        #expect(!channel.isActive)
        #expect(try statuses(sent()) == [408])
        #expect(metrics.counts.timedOut == [.body: 1])
        #expect(routes.ends == 0)
    }

    @Test func `closes an idle connection sixty seconds after its last answer`() throws {
        send(get)
        loop.advanceTime(by: .seconds(20))
        try answer()
        loop.advanceTime(by: .milliseconds(59_999))
        #expect(channel.isActive)
        loop.advanceTime(by: .milliseconds(1))
        #expect(!channel.isActive)
        #expect(try statuses(sent()) == [200])
        #expect(metrics.counts.timedOut == [.idle: 1])
    }

    @Test func `lets the routes take their time`() throws {
        send(get)
        loop.advanceTime(by: .hours(1))
        #expect(channel.isActive)
        try answer()
        #expect(try statuses(sent()) == [200])
    }

    @Test func `does not hold a body's deadline against a client while an earlier request is unanswered`() throws {
        send(get + Self.postHead)
        loop.advanceTime(by: .minutes(5))
        #expect(channel.isActive)
        try answer()
        loop.advanceTime(by: .milliseconds(29_999))
        #expect(channel.isActive)
        loop.advanceTime(by: .milliseconds(1))
        #expect(!channel.isActive)
        #expect(try statuses(sent()) == [200, 408])
    }

    @Test func `writes a refusal only after the answers to the requests before it`() throws {
        send(get + get + "GET / HTTP/1.1\r\nHost : a\r\n\r\n")
        #expect(try sent() == "")
        try answer()
        #expect(try statuses(sent()) == [200])
        #expect(channel.isActive)
        try answer()
        #expect(try statuses(sent()) == [200, 400])
        #expect(!channel.isActive)
    }

    @Test func `passes on no end of a body that was cut short when the client goes`() throws {
        send(Self.postHead + "half")
        _ = try? channel.finish()
        #expect(routes.ends == 0)
    }

    @Test func `closes an idle connection at shutdown and another one after its answer`() throws {
        send(get)
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(channel.isActive)
        try answer()
        #expect(try sent().contains("Connection: close"))
        #expect(!channel.isActive)
    }

    @Test(arguments: ["GET /a HTT", Self.postHead, Self.postHead + "half"])
    func `refuses at shutdown a request that stays unfinished for three seconds`(part: String) throws {
        loop.advanceTime(by: .seconds(2))
        send(part)
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        loop.advanceTime(by: .milliseconds(2_999))
        #expect(channel.isActive)
        loop.advanceTime(by: .milliseconds(1))
        #expect(try statuses(sent()) == [408])
        #expect(!channel.isActive)
    }

    @Test(arguments: ["GET /a HTT", Self.postHead + "half"])
    func `answers at shutdown a request that is completed in time`(part: String) throws {
        send(part)
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        loop.advanceTime(by: .seconds(2))
        send(part.hasPrefix("GET") ? "P/1.1\r\nHost: a\r\n\r\n" : String(repeating: "x", count: 59_996))
        #expect(routes.ends == 1)
        loop.advanceTime(by: .minutes(1))
        #expect(channel.isActive)
        try answer()
        #expect(try sent().contains("Connection: close"))
        #expect(!channel.isActive)
    }

    @Test func `gives an unfinished request at shutdown three seconds after the answer to an earlier one`() throws {
        send(get + Self.postHead)
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        loop.advanceTime(by: .minutes(1))
        #expect(channel.isActive)
        try answer()
        loop.advanceTime(by: .milliseconds(2_999))
        #expect(channel.isActive)
        loop.advanceTime(by: .milliseconds(1))
        #expect(!channel.isActive)
        #expect(try statuses(sent()) == [200, 408])
    }

    @Test func `takes no further request at shutdown`() throws {
        send(get)
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        send(get)
        #expect(routes.requests == ["/a"])
        try answer()
        #expect(try statuses(sent()) == [200])
        #expect(!channel.isActive)
    }

    @Test func `ends the connection after an answer to HEAD of unknown length`() throws {
        send("HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n" + get)
        channel.write(ResponsePart.head(ResponseHead(status: 200)), promise: nil)
        channel.write(ResponsePart.body(ByteBuffer(string: "body")), promise: nil)
        channel.writeAndFlush(ResponsePart.end, promise: nil)
        let answer = try sent()
        #expect(answer.contains("Connection: close"))
        #expect(!answer.contains("body"))
        #expect(!channel.isActive)
    }

    @Test func `closes an idle connection at shutdown`() throws {
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(!channel.isActive)
    }

    @Test func `closes at shutdown on a client that takes nothing for three seconds`() throws {
        let stalled = Stalled()
        try channel.pipeline.syncOperations.addHandler(stalled, position: .first)
        send(get)
        channel.writeAndFlush(ResponsePart.head(ResponseHead(status: 200)), promise: nil)
        loop.advanceTime(by: .seconds(10))
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        loop.advanceTime(by: .milliseconds(2_999))
        #expect(channel.isActive)
        loop.advanceTime(by: .milliseconds(1))
        #expect(!channel.isActive)
    }

    @Test func `closes on a client that takes nothing for thirty seconds`() throws {
        let stalled = Stalled()
        try channel.pipeline.syncOperations.addHandler(stalled, position: .first)
        send(get)
        channel.writeAndFlush(ResponsePart.head(ResponseHead(status: 200)), promise: nil)
        channel.writeAndFlush(ResponsePart.end, promise: nil)
        loop.advanceTime(by: .seconds(29))
        stalled.writes.removeFirst()?.succeed()
        loop.advanceTime(by: .milliseconds(29_999))
        #expect(channel.isActive)
        loop.advanceTime(by: .milliseconds(1))
        #expect(!channel.isActive)
        #expect(metrics.counts.timedOut == [.write: 1])
        for write in stalled.writes { write?.fail(ChannelError.ioOnClosedChannel) }
    }
}
