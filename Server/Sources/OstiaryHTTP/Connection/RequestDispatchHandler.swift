import NIOCore
import OstiaryEngine

/// Collects the requests of a connection, passes them to the responder one after the other, and writes the answers.
///
/// A request begins on the event loop as soon as it is complete, and is answered there without another round of the loop
/// unless the responder waits for something.
final class RequestDispatchHandler: ChannelInboundHandler {
    typealias InboundIn = RequestPart
    typealias OutboundOut = ResponsePart

    private let responder: any RequestResponder
    private let peer: IPAddress
    private let executor: EventLoopTaskExecutor
    /// Succeeds when the connection has ended and its last request is answered.
    private let ended: EventLoopPromise<Void>

    private var head: RequestHead?
    private var headEnded = NIODeadline.uptimeNanoseconds(0)
    private var body = ByteBuffer()
    /// Complete requests that are not being answered yet.
    private var waiting = CircularBuffer<ReceivedRequest>()
    private var isAnswering = false
    /// `true` if answers are flushed together at the end of what was read.
    private var isReading = false
    private var isFlushNeeded = false
    private var isRemoved = false

    init(responder: any RequestResponder, peer: IPAddress, eventLoop: any EventLoop) {
        self.responder = responder
        self.peer = peer
        executor = EventLoopTaskExecutor(eventLoop)
        ended = eventLoop.makePromise()
    }

    deinit { ended.succeed() }

    /// Succeeds when no request of the connection is being answered and none will come.
    var end: EventLoopFuture<Void> { ended.futureResult }

    func handlerRemoved(context: ChannelHandlerContext) {
        isRemoved = true
        waiting.removeAll()
        if !isAnswering { ended.succeed() }
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isReading = true
        switch unwrapInboundIn(data) {
        case .whole(let request):
            received(ReceivedRequest(head: request, peer: peer), context)
        case .head(let request):
            head = request
            headEnded = context.eventLoop.now
        case .body(var piece):
            body.writeBuffer(&piece)
        case .end:
            guard let head else { return }
            let request = ReceivedRequest(
                head: head, body: body,
                bodyDuration: body.readableBytes > 0
                    ? .nanoseconds((context.eventLoop.now - headEnded).nanoseconds) : .zero,
                peer: peer)
            self.head = nil
            body = ByteBuffer()
            received(request, context)
        }
    }

    private func received(_ request: ReceivedRequest, _ context: ChannelHandlerContext) {
        if canAnswer(context), waiting.isEmpty {
            answer(request, context)
        } else {
            waiting.append(request)
            answerNext(context)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        answerNext(context)
        context.fireChannelWritabilityChanged()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        if isFlushNeeded { flush(context) }
        context.fireChannelReadComplete()
    }

    // MARK: Answers

    /// `false` while another request is being answered, or the client takes no more answers.
    private func canAnswer(_ context: ChannelHandlerContext) -> Bool { !isAnswering && context.channel.isWritable }

    private func answerNext(_ context: ChannelHandlerContext) {
        guard canAnswer(context), let request = waiting.popFirst() else { return }
        answer(request, context)
    }

    private func answer(_ request: ReceivedRequest, _ context: ChannelHandlerContext) {
        isAnswering = true
        let isHead = request.head.isHead
        let answer = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        let (responder, eventLoop) = (responder, context.eventLoop)
        executor.begin {
            let response = await responder.respond(to: request)
            if eventLoop.inEventLoop {
                answer.value.handler.write(response, isHead: isHead, answer.value.context)
            } else {
                eventLoop.execute { answer.value.handler.write(response, isHead: isHead, answer.value.context) }
            }
        }
    }

    private func write(_ answer: OutgoingResponse, isHead: Bool, _ context: ChannelHandlerContext) {
        guard !isRemoved else { return answerEnded(context) }
        switch answer.body {
        case .bytes(let bytes):
            finish(with: .whole(WholeResponse(head: answer.head, body: bytes, omitsBody: isHead)), context)
        case .stream where isHead:
            context.write(wrapOutboundOut(.head(answer.head)), promise: nil)
            finish(with: .end, context)
        case .stream(let stream):
            context.writeAndFlush(wrapOutboundOut(.head(answer.head)), promise: nil)
            write(stream, context)
        }
    }

    /// Writes the parts as fast as the client takes them.
    private func write(_ stream: ResponseStream, _ context: ChannelHandlerContext) {
        let channel = context.channel
        let answer = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        executor.begin {
            let isComplete: Bool
            do {
                try await stream.write { bytes in
                    let part = ResponsePart.body(channel.allocator.buffer(bytes: bytes))
                    try await channel.writeAndFlush(part).get()
                }
                isComplete = true
            } catch {
                isComplete = false
            }
            channel.eventLoop.execute {
                let (handler, context) = answer.value
                if isComplete {
                    handler.finish(with: .end, context)
                } else {
                    // The client notices that the rest is missing. It would get no answer to further requests.
                    handler.waiting.removeAll()
                    context.close(promise: nil)
                    handler.answerEnded(context)
                }
            }
        }
    }

    private func finish(with part: ResponsePart, _ context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(part), promise: nil)
        if isReading { isFlushNeeded = true } else { flush(context) }
        answerEnded(context)
    }

    private func flush(_ context: ChannelHandlerContext) {
        isFlushNeeded = false
        context.flush()
    }

    private func answerEnded(_ context: ChannelHandlerContext) {
        isAnswering = false
        if isRemoved { ended.succeed() } else { answerNext(context) }
    }
}

@available(*, unavailable)
extension RequestDispatchHandler: Sendable {}
