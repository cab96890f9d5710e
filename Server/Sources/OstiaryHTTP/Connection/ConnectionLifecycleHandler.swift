import Logging
import NIOCore
import OstiaryContracts

/// Enforces a connection's deadlines, answers the requests that no route may see, and closes so that the last answer
/// arrives.
final class ConnectionLifecycleHandler: ChannelDuplexHandler {
    typealias InboundIn = RequestPart
    typealias InboundOut = RequestPart
    typealias OutboundIn = ResponsePart
    typealias OutboundOut = ResponsePart

    private enum Phase {
        case open
        /// A refusal waits for the answers to the earlier requests.
        case refusing(RequestRefusal, after: Int)
        /// The last answer is being written.
        case ending
        /// Nothing more is written; further input is discarded.
        case lingering
        case closed
    }

    private let limits: ConnectionLimits
    private let metrics: ConnectionMetrics
    private let refusalResponse: @Sendable (RequestRefusal) -> ServerResponse
    private let logger: Logger

    private var phase = Phase.open
    private var pipelined = PipelinedRequests()
    private var isQuiescing = false
    /// `true` if further input is ignored although the connection is still open for answers.
    private var ignoresInput = false
    /// `true` if only the end of the connection delimits the answer being written.
    private var isUnframed = false
    private var clock: ConnectionClock
    private var heldCloses: [EventLoopPromise<Void>] = []
    private var deadlineTimer: DeadlineTimer?

    init(
        limits: ConnectionLimits, metrics: ConnectionMetrics, logger: Logger,
        refusalResponse: @escaping @Sendable (RequestRefusal) -> ServerResponse
    ) {
        self.limits = limits
        self.metrics = metrics
        self.logger = logger
        self.refusalResponse = refusalResponse
        clock = ConnectionClock(limits: limits)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        deadlineTimer = DeadlineTimer(on: context.eventLoop) { [weak self] in self?.deadlineReached(context) }
        if context.channel.isActive { begin(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadlineTimer?.cancel()
        deadlineTimer = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        for close in heldCloses { close.succeed() }
        heldCloses = []
        context.fireChannelInactive()
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .open = phase, !ignoresInput else { return }
        switch unwrapInboundIn(data) {
        case .whole where isQuiescing && pipelined.waiting > 0, .head where isQuiescing && pipelined.waiting > 0:
            // The previous answer carries `Connection: close`, which tells the client that this request was not
            // processed.
            ignoresInput = true
            return
        case .whole(let request):
            begin(request, context)
            pipelined.requestEnded()
            context.fireChannelRead(data)
        case .head(let request):
            begin(request, context)
            context.fireChannelRead(data)
        case .body:
            context.fireChannelRead(data)
        case .end:
            pipelined.requestEnded()
            context.fireChannelRead(data)
        }
        setDeadlineTimer()
    }

    private func begin(_ request: RequestHead, _ context: ChannelHandlerContext) {
        clock.headEnded(context.eventLoop.now)
        pipelined.requestBegan(request)
        if request.expectsContinue, pipelined.waiting == 1 {
            context.writeAndFlush(wrapOutboundOut(.continue), promise: nil)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // The routes no longer read, but the end of the client's input must be noticed.
        if case .lingering = phase { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is RequestFramingHandler.HeadBegan:
            clock.headBegan(context.eventLoop.now)
            setDeadlineTimer()
        case ChannelEvent.inputClosed:
            inputClosed(context)
        case is ChannelShouldQuiesceEvent:
            isQuiescing = true
            clock.shutdownBegan(context.eventLoop.now)
            guard case .open = phase else { break }
            if pipelined.waiting == 0, !pipelined.isReading, !clock.isReadingHead {
                close(context)
            } else {
                setDeadlineTimer()
            }
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case let refusal as RequestRefusal:
            refuse(refusal, context)
        default:
            if case .open = phase { metrics.countFailure() }
            logger.debug("Connection failed", metadata: ["error": "\(type(of: error))"])
            close(context)
        }
    }

    private func inputClosed(_ context: ChannelHandlerContext) {
        switch phase {
        case .open:
            if pipelined.isReading || clock.isReadingHead {
                refuse(.malformed("ended early"), context)
            } else if pipelined.waiting == 0 {
                close(context)
            } else {
                pipelined.noMoreRequests()
                context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            }
        case .lingering:
            close(context)
        case .refusing, .ending, .closed:
            break
        }
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch phase {
        case .open: break
        case .refusing(_, let after) where after > 0: break
        case .refusing, .ending, .lingering, .closed:
            promise?.fail(ConnectionEnded())
            return
        }
        switch unwrapOutboundIn(data) {
        case .continue:
            context.write(data, promise: promise)
        case .whole(var response):
            let (answersHead, ends) = (pipelined.answersHead, endsWithThisAnswer)
            guard answersHead || ends else { return endAnswer(with: data, promise: promise, ends: false, context) }
            response.omitsBody = response.omitsBody || answersHead
            response.head.closes = ends
            endAnswer(with: wrapOutboundOut(.whole(response)), promise: promise, ends: ends, context)
        case .head(var head):
            // The encoder would end the answer to a HEAD with a chunk.
            isUnframed = pipelined.answersHead
            head.closes = endsWithThisAnswer
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body:
            if pipelined.answersHead {
                promise?.succeed()
            } else {
                context.write(data, promise: promise)
            }
        case .end:
            endAnswer(with: data, promise: promise, ends: endsWithThisAnswer, context)
        }
    }

    /// Writes the last part of an answer.
    private func endAnswer(
        with data: NIOAny, promise: EventLoopPromise<Void>?, ends: Bool, _ context: ChannelHandlerContext
    ) {
        pipelined.answerEnded()
        clock.answerEnded(context.eventLoop.now)
        context.triggerUserOutboundEvent(RequestFramingHandler.Control.answerEnded, promise: nil)
        if ends {
            finish(with: data, promise: promise, context)
        } else {
            context.write(data, promise: promise)
            answerEnded(context)
        }
    }

    /// `true` if the connection ends with the answer being written.
    private var endsWithThisAnswer: Bool {
        if isUnframed { return true }
        guard case .open = phase, pipelined.waiting <= 1 else { return false }
        return pipelined.isLastRequest || isQuiescing
    }

    private func answerEnded(_ context: ChannelHandlerContext) {
        if case .refusing(let refusal, let after) = phase {
            phase = .refusing(refusal, after: after - 1)
            if after == 1 { sendRefusal(refusal, context) }
        } else {
            setDeadlineTimer()
        }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        switch (phase, mode) {
        case (.ending, .all), (.ending, .output), (.lingering, .all), (.lingering, .output), (.refusing, .output):
            // This handler closes the connection itself, after the client has had time to read.
            if let promise { heldCloses.append(promise) }
        default:
            context.close(mode: mode, promise: promise)
        }
    }

    // MARK: The end of a connection

    private func refuse(_ refusal: RequestRefusal, _ context: ChannelHandlerContext) {
        guard case .open = phase else { return }
        metrics.count(refusal.kind)
        logger.debug("Request refused", metadata: ["reason": "\(refusal.reason)"])
        let after = pipelined.answersBeforeRefusal
        phase = .refusing(refusal, after: after)
        deadlineTimer?.set(nil)
        if after == 0 { sendRefusal(refusal, context) }
    }

    private func sendRefusal(_ refusal: RequestRefusal, _ context: ChannelHandlerContext) {
        let answer = refusalResponse(refusal)
        var head = ResponseHead(
            status: refusal.status,
            headers: HeaderLines([
                ("Content-Type", answer.headers["content-type"] ?? "application/json"), ("Cache-Control", "no-store"),
                ("X-Content-Type-Options", "nosniff"),
            ]))
        head.closes = true
        let response = WholeResponse(
            head: head, body: answer.body, omitsBody: pipelined.isReading && pipelined.answersHead)
        finish(with: wrapOutboundOut(.whole(response)), promise: nil, context)
    }

    /// Writes the last part of the last answer, closes the sending half after it, and lingers.
    private func finish(with data: NIOAny, promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
        phase = .ending
        deadlineTimer?.set(nil)
        context.triggerUserOutboundEvent(RequestFramingHandler.Control.discardInput, promise: nil)
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.assumeIsolated().whenComplete { [self] result in
            guard case .ending = phase else { return }
            guard case .success = result else { return close(context) }
            linger(context)
        }
        context.writeAndFlush(data, promise: written)
    }

    private func linger(_ context: ChannelHandlerContext) {
        phase = .lingering
        context.triggerUserOutboundEvent(RequestFramingHandler.Control.discardInput, promise: nil)
        deadlineTimer?.set(context.eventLoop.now + TimeAmount(limits.lingerDeadline))
        context.close(mode: .output, promise: nil)
        context.read()
    }

    private func close(_ context: ChannelHandlerContext) {
        end()
        context.close(promise: nil)
    }

    private func end() {
        phase = .closed
        deadlineTimer?.cancel()
    }

    // MARK: Deadlines

    private func begin(_ context: ChannelHandlerContext) {
        clock.connectionBegan(context.eventLoop.now)
        setDeadlineTimer()
    }

    private func setDeadlineTimer() {
        guard case .open = phase else { return }
        deadlineTimer?.set(clock.deadline(in: pipelined))
    }

    private func deadlineReached(_ context: ChannelHandlerContext) {
        switch phase {
        case .open where pipelined.isReading:
            metrics.count(ConnectionMetrics.Deadline.body)
            refuse(.timedOut("body deadline"), context)
        case .open where clock.isReadingHead:
            metrics.count(ConnectionMetrics.Deadline.header)
            refuse(.timedOut("header deadline"), context)
        case .open:
            // No request was begun, so no answer is written.
            metrics.count(pipelined.requests == 0 ? ConnectionMetrics.Deadline.header : .idle)
            close(context)
        case .lingering:
            close(context)
        case .refusing, .ending, .closed:
            break
        }
    }
}

@available(*, unavailable)
extension ConnectionLifecycleHandler: Sendable {}
