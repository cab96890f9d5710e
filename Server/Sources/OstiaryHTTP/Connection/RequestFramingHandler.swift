import NIOCore

/// Parses the requests of a connection, and reports the first malformed one.
///
/// Bounds the number of the connection's unanswered requests: beyond it, the handler reads nothing more from the socket
/// until an answer has been written. It resumes in another iteration of the event loop, so that one connection's
/// requests do not delay those of others.
final class RequestFramingHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = RequestPart
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The event fired to later handlers when the first bytes of a head have arrived without its end.
    struct HeadBegan: Sendable {}

    /// The events that later handlers send to this one.
    enum Control: Sendable {
        /// The answer to the oldest unanswered request was written.
        case answerEnded
        /// Further input is discarded.
        case discardInput
    }

    private let limits: ConnectionLimits
    private var framing: RequestFraming
    /// The number of requests passed on and not yet answered.
    private var unanswered = 0
    /// `true` if ``HeadBegan`` was fired for the request being read.
    private var isHeadReported = false
    /// `true` if nothing is passed on any more: a request was refused, or the connection ends.
    private var isDiscarding = false
    /// `true` if bytes wait here until an answer is written.
    private var isHolding = false
    private var isResuming = false
    /// Events that arrived while bytes were held, passed on when none is held any more.
    private var heldRead = false
    private var heldInputClosed = false

    init(limits: ConnectionLimits) {
        self.limits = limits
        framing = RequestFraming(limits: limits)
    }

    func handlerRemoved(context: ChannelHandlerContext) { isDiscarding = true }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDiscarding else { return }
        framing.append(unwrapInboundIn(data))
        guard !isHolding else {
            if framing.pendingBytes > limits.pipelinedBytes {
                refuse(.malformed("too many requests sent ahead"), context)
            }
            return
        }
        forward(context)
    }

    func read(context: ChannelHandlerContext) {
        if isHolding {
            heldRead = true
        } else {
            context.read()
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if isHolding, case ChannelEvent.inputClosed = event {
            // The requests before it come first.
            heldInputClosed = true
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard let control = event as? Control else {
            context.triggerUserOutboundEvent(event, promise: promise)
            return
        }
        switch control {
        case .answerEnded:
            unanswered = max(unanswered - 1, 0)
            if isHolding { resumeLater(context) }
        case .discardInput:
            isDiscarding = true
            if isHolding { resumeLater(context) }
        }
        promise?.succeed()
    }

    /// Passes requests on until the permitted number is unanswered.
    private func forward(_ context: ChannelHandlerContext) {
        do throws(RequestRefusal) {
            while !isDiscarding {
                if framing.isBetweenRequests, framing.pendingBytes > 0, unanswered >= limits.pipelinedRequests {
                    isHolding = true
                    return
                }
                guard let part = try framing.next() else { return reportHead(context) }
                switch part {
                case .whole, .head:
                    unanswered += 1
                    isHeadReported = false
                case .body, .end: break
                }
                context.fireChannelRead(wrapInboundOut(part))
            }
        } catch {
            refuse(error, context)
        }
    }

    private func reportHead(_ context: ChannelHandlerContext) {
        guard framing.isReadingHead, !isHeadReported else { return }
        isHeadReported = true
        context.fireUserInboundEventTriggered(HeadBegan())
    }

    private func refuse(_ refusal: RequestRefusal, _ context: ChannelHandlerContext) {
        isDiscarding = true
        var refusal = refusal
        (refusal.host, refusal.path) = framing.targetHostAndPath
        context.fireErrorCaught(refusal)
    }

    private func resumeLater(_ context: ChannelHandlerContext) {
        guard !isResuming else { return }
        isResuming = true
        context.eventLoop.assumeIsolated().execute { [self] in
            isResuming = false
            resume(context)
        }
    }

    private func resume(_ context: ChannelHandlerContext) {
        guard isHolding, context.channel.isActive else { return }
        isHolding = false
        forward(context)
        context.fireChannelReadComplete()
        guard !isHolding else { return }
        if heldInputClosed {
            heldInputClosed = false
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        if heldRead {
            heldRead = false
            context.read()
        }
    }
}

@available(*, unavailable)
extension RequestFramingHandler: Sendable {}
