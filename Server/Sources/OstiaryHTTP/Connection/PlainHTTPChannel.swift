package import HummingbirdCore
import Logging
import NIOCore

/// A connection that speaks HTTP/1.1 within Hummingbird's own limits: for those who are let near it.
struct PlainHTTPChannel: HTTPChannelHandler {
    let base: HTTP1Channel
    var responder: HTTPChannelHandler.Responder { base.responder }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        base.setup(channel: channel, logger: logger).map { $0.keptUntilClosed() }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}

extension HTTPServerBuilder {
    /// A server for HTTP/1.1 for those who are let near it: it takes whoever connects, and as much as they send.
    ///
    /// - Parameter idleTimeout: After which a connection is closed on which nothing happens.
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
    /// Keeps it until its channel has closed.
    ///
    /// A connection that is accepted while the listener closes reaches nobody, and SwiftNIO ends the process where the writer
    /// of such a one goes before its channel has closed (swift-nio issue 2637). It is closed by its limits, or with the process.
    func keptUntilClosed() -> Self {
        channel.closeFuture.whenComplete { _ in withExtendedLifetime(self) {} }
        return self
    }
}
