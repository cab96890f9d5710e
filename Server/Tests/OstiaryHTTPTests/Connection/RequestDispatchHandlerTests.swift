import NIOCore
import NIOEmbedded
import OstiaryEngine
import Testing

@testable import OstiaryHTTP

/// The requests of a connection on their way to the responder, and its answers on their way back.
@Suite(.timeLimit(.minutes(1)))
struct RequestDispatchHandlerTests {
    /// Answers each request with its path and its body. `/wait` is answered when the test permits it.
    private struct Responder: RequestResponder {
        let arrivals = AsyncStream.makeStream(of: String.self)
        let permits = AsyncStream.makeStream(of: Void.self)

        func respond(to request: ReceivedRequest) async -> OutgoingResponse {
            let path = request.head.path
            arrivals.continuation.yield(path)
            if path == "/wait" { for await _ in permits.stream { break } }
            if path == "/broken" {
                let stream = ResponseStream { write in
                    try await write(Array("part".utf8))
                    throw ConnectionEnded()
                }
                return OutgoingResponse(head: ResponseHead(status: 200), body: .stream(stream))
            }
            let text = "\(request.head.method) \(path) \(String(buffer: request.body))"
            return OutgoingResponse(head: ResponseHead(status: 200), body: .bytes(Array(text.utf8)))
        }
    }

    /// Counts the flushes between the socket and the handler.
    private final class Flushes: ChannelOutboundHandler {
        typealias OutboundIn = ResponsePart
        var count = 0

        func flush(context: ChannelHandlerContext) {
            count += 1
            context.flush()
        }
    }

    private let responder = Responder()

    private func handler(on eventLoop: any EventLoop) throws -> RequestDispatchHandler {
        RequestDispatchHandler(
            responder: responder, peer: try #require(IPAddress("192.0.2.1")), eventLoop: eventLoop)
    }

    /// Returns a channel whose event loop other threads may use, and the future of its connection's end.
    private func testingChannel() async throws -> (channel: NIOAsyncTestingChannel, end: EventLoopFuture<Void>) {
        let channel = NIOAsyncTestingChannel()
        let end = try await channel.testingEventLoop.executeInContext {
            let handler = try handler(on: channel.testingEventLoop)
            try channel.pipeline.syncOperations.addHandler(handler)
            return handler.end
        }
        return (channel, end)
    }

    private static func head(_ path: String, _ method: String = "GET") -> RequestHead {
        RequestHead(method: method, authority: "a", path: path)
    }

    private static func whole(_ path: String) -> RequestPart { .whole(head(path)) }

    private static func text(_ part: ResponsePart) -> String {
        switch part {
        case .continue: "100"
        case .whole(let response):
            "\(response.head.status) \(response.omitsBody ? "\(response.body.count) bytes" : String(decoding: response.body, as: UTF8.self))"
        case .head(let head): "\(head.status)"
        case .body(let body): String(buffer: body)
        case .end: "end"
        }
    }

    private func written(_ channel: EmbeddedChannel) throws -> [String] {
        var parts: [String] = []
        while let part = try channel.readOutbound(as: ResponsePart.self) { parts.append(Self.text(part)) }
        return parts
    }

    @Test func `answers in the round of the event loop in which a request is complete`() throws {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(handler(on: channel.eventLoop))
        try channel.writeInbound(RequestPart.head(Self.head("/a", "POST")))
        try channel.writeInbound(RequestPart.body(ByteBuffer(string: "he")))
        try channel.writeInbound(RequestPart.body(ByteBuffer(string: "llo")))
        #expect(try written(channel) == [])
        try channel.writeInbound(RequestPart.end)
        #expect(try written(channel) == ["200 POST /a hello"])
    }

    @Test func `flushes the answers to the requests of one read together`() throws {
        let channel = EmbeddedChannel()
        let flushes = Flushes()
        try channel.pipeline.syncOperations.addHandlers([flushes, handler(on: channel.eventLoop)])
        for path in ["/a", "/b", "/c"] {
            channel.pipeline.fireChannelRead(Self.whole(path))
        }
        #expect(flushes.count == 0)
        channel.pipeline.fireChannelReadComplete()
        #expect(flushes.count == 1)
        #expect(try written(channel) == ["200 GET /a ", "200 GET /b ", "200 GET /c "])
    }

    @Test func `tells the length of a body that it does not send in answer to HEAD`() throws {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(handler(on: channel.eventLoop))
        try channel.writeInbound(RequestPart.whole(Self.head("/a", "HEAD")))
        #expect(try written(channel) == ["200 8 bytes"])
    }

    @Test func `passes no request on whose body was cut short`() throws {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(handler(on: channel.eventLoop))
        try channel.writeInbound(RequestPart.head(Self.head("/a", "POST")))
        try channel.writeInbound(RequestPart.body(ByteBuffer(string: "half")))
        _ = try channel.finish()
        #expect(try written(channel) == [])
    }

    @Test func `PT-04: answers nothing further to a client that takes no answers, until it does`() throws {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(handler(on: channel.eventLoop))
        channel.isWritable = false
        for path in ["/a", "/b"] {
            try channel.writeInbound(Self.whole(path))
        }
        #expect(try written(channel) == [])
        channel.isWritable = true
        channel.pipeline.fireChannelWritabilityChanged()
        #expect(try written(channel) == ["200 GET /a ", "200 GET /b "])
    }

    @Test func `answers a later request after the one that waits`() async throws {
        let (channel, _) = try await testingChannel()
        var arrivals = responder.arrivals.stream.makeAsyncIterator()
        for path in ["/wait", "/b"] {
            try await channel.writeInbound(Self.whole(path))
        }
        #expect(await arrivals.next() == "/wait")
        #expect(try await channel.readOutbound(as: ResponsePart.self) == nil)
        responder.permits.continuation.yield()
        var parts: [String] = []
        for _ in 0..<2 { parts.append(Self.text(try await channel.waitForOutboundWrite(as: ResponsePart.self))) }
        #expect(parts == ["200 GET /wait ", "200 GET /b "])
    }

    @Test func `ends when the last request of a lost connection is answered`() async throws {
        let (channel, end) = try await testingChannel()
        var arrivals = responder.arrivals.stream.makeAsyncIterator()
        try await channel.writeInbound(Self.whole("/wait"))
        #expect(await arrivals.next() == "/wait")
        _ = try await channel.finish()
        await channel.testingEventLoop.run()
        let ended = AsyncStream.makeStream(of: String.self)
        end.whenComplete { _ in ended.continuation.yield("ended") }
        _ = try await channel.testingEventLoop.executeInContext { ended.continuation.yield("not yet") }
        responder.permits.continuation.yield()
        var events = ended.stream.makeAsyncIterator()
        #expect(await events.next() == "not yet")
        #expect(await events.next() == "ended")
    }

    @Test func `closes a connection whose answer cannot be completed`() async throws {
        let (channel, _) = try await testingChannel()
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1))
        for path in ["/broken", "/b"] {
            try await channel.writeInbound(Self.whole(path))
        }
        #expect(Self.text(try await channel.waitForOutboundWrite(as: ResponsePart.self)) == "200")
        #expect(Self.text(try await channel.waitForOutboundWrite(as: ResponsePart.self)) == "part")
        try await channel.closeFuture.get()
        #expect(try await channel.readOutbound(as: ResponsePart.self) == nil)
        // The request behind it is not performed.
        responder.arrivals.continuation.finish()
        var arrived: [String] = []
        for await path in responder.arrivals.stream { arrived.append(path) }
        #expect(arrived == ["/broken"])
    }
}
