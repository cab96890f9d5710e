import NIOCore
import NIOEmbedded
import Testing

@testable import OstiaryHTTP

/// The limit on pipelined requests that are read ahead on one connection.
struct ReadAheadTests {
    /// A handler between the handler under test and the socket, which counts reads.
    private final class Socket: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        var reads = 0

        func read(context: ChannelHandlerContext) { reads += 1 }
    }

    /// The handler behind it, which collects the inbound parts.
    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = RequestPart
        var requests = 0
        var heads = 0
        var isInputClosed = false
        var refusals: [RequestRefusal.Kind] = []

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .whole = unwrapInboundIn(data) { requests += 1 }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event is RequestFramingHandler.HeadBegan { heads += 1 }
            if case ChannelEvent.inputClosed = event { isInputClosed = true }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            if let refusal = error as? RequestRefusal { refusals.append(refusal.kind) }
        }
    }

    private let loop = EmbeddedEventLoop()
    private let channel: EmbeddedChannel
    private let socket = Socket()
    private let reader = Reader()
    private let request = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"

    init() throws {
        channel = EmbeddedChannel(loop: loop)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandlers([socket, RequestFramingHandler(limits: ConnectionLimits()), reader])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        socket.reads = 0
    }

    private func send(_ text: String) throws { try channel.writeInbound(ByteBuffer(string: text)) }

    private func answer() {
        channel.pipeline.triggerUserOutboundEvent(RequestFramingHandler.Control.answerEnded, promise: nil)
    }

    @Test func `PT-04: reads four requests, and one more for each answer`() throws {
        try send(String(repeating: request, count: 10))
        #expect(reader.requests == 4)
        for answered in 1...8 {
            answer()
            loop.run()
            #expect(reader.requests == min(4 + answered, 10))
        }
    }

    @Test func `PT-04: goes on in another round of the event loop`() throws {
        try send(String(repeating: request, count: 5))
        answer()
        #expect(reader.requests == 4)
        loop.run()
        #expect(reader.requests == 5)
    }

    @Test func `PT-04: reads nothing from the socket while requests wait`() throws {
        try send(String(repeating: request, count: 5))
        channel.pipeline.read()
        #expect(socket.reads == 0)
        answer()
        loop.run()
        #expect(socket.reads == 1)
        channel.pipeline.read()
        #expect(socket.reads == 2)
    }

    @Test func `PT-04: reads on where no more came than may wait`() throws {
        try send(String(repeating: request, count: 4))
        channel.pipeline.read()
        #expect(socket.reads == 1)
    }

    @Test func `PT-04: tells of the client's end after its last request`() throws {
        try send(String(repeating: request, count: 6))
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(!reader.isInputClosed)
        for _ in 0..<2 {
            answer()
            loop.run()
        }
        #expect(reader.requests == 6 && reader.isInputClosed)
    }

    @Test func `PT-04: refuses a client that has sent a megabyte ahead`() throws {
        let many = String(repeating: request, count: 10_000)
        try send(many)
        for _ in 0..<4 { try send(many) }
        #expect(reader.requests == 4 && reader.refusals == [.malformed])
    }

    @Test func `PT-04: reads on to the end of a connection whose requests are of no interest any more`() throws {
        try send(String(repeating: request, count: 10))
        channel.pipeline.read()
        channel.pipeline.triggerUserOutboundEvent(RequestFramingHandler.Control.discardInput, promise: nil)
        loop.run()
        #expect(reader.requests == 4 && socket.reads == 1)
    }

    @Test func `tells once of a head whose end has not arrived`() throws {
        try send(request)
        #expect(reader.heads == 0)
        for piece in ["G", "ET /a HTTP/1.1\r\n", "Host: a\r\n"] { try send(piece) }
        #expect(reader.heads == 1 && reader.requests == 1)
        try send("\r\nGET")
        #expect(reader.heads == 2 && reader.requests == 2)
    }
}
