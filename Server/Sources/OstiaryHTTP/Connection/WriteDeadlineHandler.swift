import NIOCore

/// Closes a connection whose client accepts no byte of the pending output within the deadline, which is shorter once the
/// server is shutting down.
final class WriteDeadlineHandler: ChannelDuplexHandler {
    typealias InboundIn = Any
    typealias InboundOut = Any
    typealias OutboundIn = Any
    typealias OutboundOut = Any

    private var deadline: TimeAmount
    private let shutdownDeadline: TimeAmount
    private let metrics: ConnectionMetrics
    private var waiting = 0
    private var deadlineTimer: DeadlineTimer?

    init(limits: ConnectionLimits, metrics: ConnectionMetrics) {
        deadline = TimeAmount(limits.writeDeadline)
        shutdownDeadline = TimeAmount(min(limits.shutdownDeadline, limits.writeDeadline))
        self.metrics = metrics
    }

    func handlerAdded(context: ChannelHandlerContext) {
        deadlineTimer = DeadlineTimer(on: context.eventLoop) { [metrics] in
            metrics.count(.write)
            context.close(promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadlineTimer?.cancel()
        deadlineTimer = nil
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            deadline = shutdownDeadline
            if waiting > 0 { deadlineTimer?.set(context.eventLoop.now + deadline) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let written = promise ?? context.eventLoop.makePromise()
        if waiting == 0 { deadlineTimer?.set(context.eventLoop.now + deadline) }
        waiting += 1
        let eventLoop = context.eventLoop
        written.futureResult.assumeIsolated().whenComplete { [self] _ in
            waiting -= 1
            deadlineTimer?.set(waiting == 0 ? nil : eventLoop.now + deadline)
        }
        context.write(data, promise: written)
    }
}

@available(*, unavailable)
extension WriteDeadlineHandler: Sendable {}
