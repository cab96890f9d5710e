import NIOCore

/// Serializes responses. Source: RFC 9112 §4 and §6.
///
/// An answer in pieces, whose length is unknown, is sent in chunks. Its head waits for the first piece, so that a short answer
/// is written at once.
final class ResponseEncoder: ChannelOutboundHandler {
    typealias OutboundIn = ResponsePart
    typealias OutboundOut = ByteBuffer

    private var isChunked = false
    /// Bytes that wait for the next part or for a flush.
    private var waiting: ByteBuffer?
    /// Longer bodies are not copied.
    private static let copiedBytes = 16_384

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .continue:
            writeWaiting(context)
            let line = ByteBuffer(bytes: StatusLine.bytes(of: 100) + "\r\n".utf8)
            context.write(wrapOutboundOut(line), promise: promise)
        case .whole(let response):
            writeWaiting(context)
            write(response, context, promise)
        case .head(let head):
            writeWaiting(context)
            isChunked = head.mayHaveBody
            waiting = Self.bytes(of: head, length: nil, body: [], context.channel)
            // A promise is kept by the write of its part, which therefore must not wait.
            if let promise { writeWaiting(context, promise: promise) }
        case .body(let body):
            let body = isChunked ? chunk(body) : body
            if waiting != nil, body.readableBytes <= Self.copiedBytes {
                waiting?.writeImmutableBuffer(body)
                if let promise { writeWaiting(context, promise: promise) }
            } else {
                writeWaiting(context)
                context.write(wrapOutboundOut(body), promise: promise)
            }
        case .end:
            if isChunked {
                var end = waiting ?? ByteBuffer()
                end.writeStaticString("0\r\n\r\n")
                waiting = end
            }
            writeWaiting(context, promise: promise)
        }
    }

    func flush(context: ChannelHandlerContext) {
        writeWaiting(context)
        context.flush()
    }

    /// - Parameter promise: Kept in its order, also if nothing is left to write.
    private func writeWaiting(_ context: ChannelHandlerContext, promise: EventLoopPromise<Void>? = nil) {
        guard waiting != nil || promise != nil else { return }
        let bytes = waiting ?? ByteBuffer()
        waiting = nil
        context.write(wrapOutboundOut(bytes), promise: promise)
    }

    private func write(_ response: WholeResponse, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?)
    {
        let body = response.head.mayHaveBody && !response.omitsBody ? response.body : []
        let isCopied = body.count <= Self.copiedBytes
        let head = Self.bytes(
            of: response.head, length: response.body.count, body: isCopied ? body : [], context.channel)
        guard !isCopied else { return context.write(wrapOutboundOut(head), promise: promise) }
        context.write(wrapOutboundOut(head), promise: nil)
        context.write(wrapOutboundOut(context.channel.allocator.buffer(bytes: body)), promise: promise)
    }

    /// - Parameter length: The length of the body that is announced; nil for one in chunks.
    private static func bytes(
        of head: ResponseHead, length: Int?, body: [UInt8], _ channel: any Channel
    ) -> ByteBuffer {
        let status = StatusLine.bytes(of: head.status)
        var bytes = channel.allocator.buffer(
            capacity: status.count + head.headers.bytes.count + framingBytes + body.count)
        bytes.writeBytes(status)
        bytes.writeBytes(head.headers.bytes)
        if head.mayHaveBody {
            if let length {
                bytes.writeStaticString("Content-Length: ")
                bytes.writeString(String(length))
                bytes.writeStaticString("\r\n")
            } else {
                bytes.writeStaticString("transfer-encoding: chunked\r\n")
            }
        }
        bytes.writeStaticString(head.closes ? "Connection: close\r\n\r\n" : "\r\n")
        bytes.writeBytes(body)
        return bytes
    }

    /// Enough for the headers of the framing.
    private static let framingBytes = 80

    private func chunk(_ body: ByteBuffer) -> ByteBuffer {
        // An empty chunk would end the body.
        guard body.readableBytes > 0 else { return body }
        var chunk = ByteBuffer(string: String(body.readableBytes, radix: 16) + "\r\n")
        chunk.writeImmutableBuffer(body)
        chunk.writeStaticString("\r\n")
        return chunk
    }
}

@available(*, unavailable)
extension ResponseEncoder: Sendable {}
