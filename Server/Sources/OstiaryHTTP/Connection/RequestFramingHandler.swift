import NIOCore

/// Lets the bytes of well-formed requests through to the decoder and reports the first that are not.
final class RequestFramingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Told further along when the first byte of a request came.
    struct HeadBegan: Sendable {}

    private var framing: RequestFraming
    private var isRefused = false

    init(limits: ConnectionLimits) {
        framing = RequestFraming(limits: limits)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        framing.append(unwrapInboundIn(data))
        do throws(RequestRefusal) {
            while let event = try framing.next() {
                switch event {
                case .headBegan: context.fireUserInboundEventTriggered(HeadBegan())
                case .bytes(let bytes): context.fireChannelRead(wrapInboundOut(bytes))
                }
            }
        } catch {
            isRefused = true
            var refusal = error
            (refusal.host, refusal.path) = framing.addressee
            context.fireErrorCaught(refusal)
        }
    }
}

@available(*, unavailable)
extension RequestFramingHandler: Sendable {}
