package import HummingbirdCore
import Logging
import NIOCore

/// An HTTP/1.1 connection within Hummingbird's own limits, for listeners that only trusted clients reach.
struct PlainHTTPChannel: HTTPChannelHandler {
    let base: HTTP1Channel
    var responder: HTTPChannelHandler.Responder { base.responder }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        base.setup(channel: channel, logger: logger).map { $0.keptUntilClosed() }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}

extension HTTPServerBuilder {
    /// An HTTP/1.1 server for trusted clients: it limits neither their connections nor what they send.
    ///
    /// - Parameter idleTimeout: The time without traffic after which a connection is closed.
    package static func plain(idleTimeout: Duration) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            PlainHTTPChannel(
                base: HTTP1Channel(
                    responder: responder,
                    configuration: .init(idleTimeout: TimeAmount(idleTimeout))))
        }
    }
}

extension NIOAsyncChannel {
    /// Retains this async channel, and with it the writer, until the underlying channel has closed.
    ///
    /// A connection that is accepted while the listener closes reaches no consumer, and SwiftNIO traps if the writer of
    /// such a connection is released before its channel has closed (swift-nio issue 2637). Its limits close it, or
    /// the end of the process does.
    func keptUntilClosed() -> Self {
        channel.closeFuture.whenComplete { _ in withExtendedLifetime(self) {} }
        return self
    }
}
