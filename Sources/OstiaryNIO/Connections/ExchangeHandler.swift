#if NIO
import NIOCore
import NIOHTTP1
import NIOTLS
import OstiaryClient
import OstiaryContracts

/// The last handler of a connection's pipeline: takes a call, writes it, and assembles the answer.
final class ExchangeHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = Call
    typealias OutboundOut = HTTPClientRequestPart

    private let origin: Origin
    private let limits: ExchangeLimits
    private let pool: ConnectionPool

    private var isReady = false
    private var opener: EventLoopPromise<Void>?
    /// The error after which the connection can carry no further call.
    private var problem: (any Error)?

    private var call: Call?
    private var response: WireResponse?
    private var isWritten = false
    /// `true` once the whole answer was received.
    private var isComplete = false
    private var staysOpen = false
    private var isUsed = false
    private var idleTimer: Scheduled<Void>?

    init(origin: Origin, limits: ExchangeLimits, pool: ConnectionPool) {
        self.origin = origin
        self.limits = limits
        self.pool = pool
    }

    // MARK: Opening

    /// Returns a future that succeeds once the server has proved its identity. Call it once, in the channel's event
    /// loop.
    func ready(on channel: any Channel) -> EventLoopFuture<Void> {
        let promise = channel.eventLoop.makePromise(of: Void.self)
        if isReady {
            promise.succeed()
        } else if let problem {
            promise.fail(problem)
        } else if !channel.isActive {
            promise.fail(ChannelError.ioOnClosedChannel)
        } else {
            opener = promise
        }
        return promise.futureResult
    }

    private func open() {
        isReady = true
        opener.take()?.succeed()
    }

    func channelActive(context: ChannelHandlerContext) {
        if !origin.isEncrypted { open() }
        context.fireChannelActive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent { open() }
        context.fireUserInboundEventTriggered(event)
    }

    // MARK: Asking

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let call = unwrapOutboundIn(data)
        idleTimer.take()?.cancel()
        guard isReady, context.channel.isActive, problem == nil, self.call == nil else {
            promise?.fail(NotWritten(reason: problem.map { TransportError(asking: $0, limits) }))
            return
        }
        promise?.succeed()
        // The caller no longer waits and nothing was sent: the connection can be used again.
        guard call.attach(context.channel) else { return rest(context) }
        self.call = call
        response = nil
        isWritten = false
        context.write(wrapOutboundOut(.head(call.head)), promise: nil)
        if let body = call.body { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenSuccess { if self.call === call { self.isWritten = true } }
        context.write(wrapOutboundOut(.end(nil)), promise: written)
    }

    // MARK: The answer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // After a failure the decoder still delivers the rest of what was read.
        guard let call, problem == nil else { return }
        switch unwrapInboundIn(data) {
        case .head(let head): take(head, for: call, context)
        case .body(let bytes):
            guard let count = response?.body.count, count + bytes.readableBytes <= limits.bodyBytes else {
                return fail(.tooLarge(maximumBytes: limits.bodyBytes), context)
            }
            response?.body.append(contentsOf: bytes.readableBytesView)
        case .end: isComplete = response != nil
        }
    }

    private func take(_ head: HTTPResponseHead, for call: Call, _ context: ChannelHandlerContext) {
        // No other protocol was requested. Source: RFC 9110 §15.2.2.
        guard response == nil, head.status != .switchingProtocols else { return fail(.notHTTP, context) }
        var answer = WireResponse(status: Int(head.status.code))
        for (name, value) in head.headers {
            let name = name.lowercased()
            answer.headers[name] = answer.headers[name].map { "\($0), \(value)" } ?? value
        }
        if call.head.method != .HEAD, let length = answer.headers["content-length"].flatMap({ Int($0) }) {
            guard length <= limits.bodyBytes else { return fail(.tooLarge(maximumBytes: limits.bodyBytes), context) }
            answer.body.reserveCapacity(length)
        }
        staysOpen = head.isKeepAlive
        response = answer
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        settle(context)
        context.fireChannelReadComplete()
    }

    /// Completes the call with the answer, once everything that was read has been decoded: bytes after an answer would
    /// otherwise be read as the answer to the next request.
    private func settle(_ context: ChannelHandlerContext) {
        guard isComplete, let call, let response else { return }
        (self.call, self.response, isComplete, isUsed) = (nil, nil, false, true)
        let canStay = staysOpen && isWritten && problem == nil
        // The connection returns to the pool before the call completes, so that the caller's next request finds it.
        if call.detach(), canStay { rest(context) } else { context.close(promise: nil) }
        call.outcome.end(.success(response))
    }

    private func rest(_ context: ChannelHandlerContext) {
        idleTimer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limits.idle)) {
            // Closing takes a moment, during which the pool may still hand out the connection.
            self.isReady = false
            context.close(promise: nil)
        }
        pool.finished(context.channel, to: origin)
    }

    // MARK: Failing

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if problem == nil { problem = error }
        opener.take()?.fail(error)
        fail(TransportError(asking: error, limits), context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        idleTimer.take()?.cancel()
        opener.take()?.fail(ChannelError.ioOnClosedChannel)
        // An answer may end with its connection.
        settle(context)
        fail(.connectionLost, context)
        context.fireChannelInactive()
    }

    private func fail(_ error: TransportError, _ context: ChannelHandlerContext) {
        // Last: closing may call this function again, with a less specific error.
        defer { context.close(promise: nil) }
        guard !isComplete, let call else { return }
        if problem == nil { problem = error }
        let isUntouched = isUsed && response == nil && call.isSafe && error == .connectionLost
        (self.call, response) = (nil, nil)
        guard call.detach() else { return }
        if isUntouched { pool.submit(call, onNewConnection: true) } else { call.outcome.end(.failure(error)) }
    }
}
#endif
