package import Logging
package import NIOCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Pauses a listener while the process cannot open another file, so that its connections wait in the kernel.
///
/// A failed accept leaves the listening socket readable. SwiftNIO then tries again at once, and spends a whole core.
package final class AcceptPauseHandler: ChannelInboundHandler {
    package typealias InboundIn = Any
    package typealias InboundOut = Any

    private static let pause = TimeAmount.milliseconds(200)
    private static let causes = [EMFILE, ENFILE, ENOBUFS, ENOMEM]

    private let log: Logger
    private var isExhausted = false
    private var resumption: Scheduled<Void>?

    private init(log: Logger) { self.log = log }

    /// Adds the handler to the channel of a listener.
    package static func add(to listener: any Channel, log: Logger) async throws {
        try await listener.eventLoop.submit {
            try listener.pipeline.syncOperations.addHandler(AcceptPauseHandler(log: log), position: .first)
        }.get()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isExhausted {
            isExhausted = false
            log.notice("connections are accepted again")
        }
        context.fireChannelRead(data)
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? IOError, Self.causes.contains(error.errnoCode) {
            if !isExhausted {
                log.error("connections wait, since no file can be opened", metadata: ["errno": "\(error.errnoCode)"])
            }
            isExhausted = true
            pause(context.channel)
        }
        context.fireErrorCaught(error)
    }

    package func handlerRemoved(context: ChannelHandlerContext) { resumption?.cancel() }

    private func pause(_ listener: any Channel) {
        guard let options = listener.syncOptions else { return }
        resumption?.cancel()
        // Another handler may have asked for a read meanwhile; only a change of the option stops it.
        try? options.setOption(.autoRead, value: true)
        try? options.setOption(.autoRead, value: false)
        resumption = listener.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
            // Fails only if the listener was closed.
            try? options.setOption(.autoRead, value: true)
        }
    }
}

@available(*, unavailable)
extension AcceptPauseHandler: Sendable {}
