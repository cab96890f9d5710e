import NIOCore

/// Lets the bytes of well-formed requests through to the decoder and reports the first that are not.
///
/// Bounds how many requests of the connection wait for their answers: beyond, it reads nothing more from the socket until an
/// answer has been written. It goes on in another round of the event loop, so that one connection's requests do not keep
/// others from theirs.
final class RequestFramingHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Told further along when the first byte of a request came.
    struct HeadBegan: Sendable {}

    /// What handlers further along tell this one.
    enum Control: Sendable {
        /// The answer to the oldest unanswered request was written.
        case answerEnded
        /// Nothing that still comes is looked at.
        case discardInput
    }

    private let limits: ConnectionLimits
    private var framing: RequestFraming
    /// Requests that were let through and are not answered.
    private var unanswered = 0
    /// Nothing is let through any more: a request was refused, or the connection ends.
    private var isDiscarding = false
    /// Bytes wait here until an answer is written.
    private var isHolding = false
    private var isResuming = false
    /// What came meanwhile, to be passed on when nothing is held any more.
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
        letThrough(context)
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

    /// Lets requests through until as many as allowed are unanswered.
    private func letThrough(_ context: ChannelHandlerContext) {
        do throws(RequestRefusal) {
            while !isDiscarding {
                if framing.isBetweenRequests, framing.pendingBytes > 0, unanswered >= limits.pipelinedRequests {
                    isHolding = true
                    return
                }
                guard let event = try framing.next() else { return }
                switch event {
                case .headBegan:
                    unanswered += 1
                    context.fireUserInboundEventTriggered(HeadBegan())
                case .bytes(let bytes): context.fireChannelRead(wrapInboundOut(bytes))
                }
            }
        } catch {
            refuse(error, context)
        }
    }

    private func refuse(_ refusal: RequestRefusal, _ context: ChannelHandlerContext) {
        isDiscarding = true
        var refusal = refusal
        (refusal.host, refusal.path) = framing.addressee
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
        letThrough(context)
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
