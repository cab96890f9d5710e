import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Serializes responses. Source: RFC 9112 §4 and §6.
///
/// A body without a known length is sent in chunks. A head waits for the first part of its body, so that a short answer is
/// written at once.
final class ResponseEncoder: ChannelOutboundHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = ByteBuffer

    private var isChunked = false
    /// Bytes that wait for the next part or for a flush.
    private var waiting: ByteBuffer?
    /// Longer bodies are not copied.
    private static let copiedBytes = 16_384

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let response):
            writeWaiting(context)
            waiting = head(of: response)
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

    private func head(of response: HTTPResponse) -> ByteBuffer {
        let status = HTTPResponseStatus(
            statusCode: response.status.code, reasonPhrase: response.status.reasonPhrase)
        let hasBody = status.mayHaveResponseBody
        isChunked = hasBody
        // In an array: each write to a buffer costs as much as several to an array.
        var head: [UInt8] = []
        head.reserveCapacity(1024)
        head += "HTTP/1.1 ".utf8
        head += String(status.code).utf8
        head.append(ASCII.space)
        head += status.reasonPhrase.utf8
        head += "\r\n".utf8
        for field in response.headerFields {
            if field.name == .contentLength {
                guard hasBody else { continue }
                isChunked = false
            }
            head += field.name.rawName.utf8
            head += ": ".utf8
            field.withUnsafeBytesOfValue { head += $0 }
            head += "\r\n".utf8
        }
        if isChunked { head += "transfer-encoding: chunked\r\n".utf8 }
        head += "\r\n".utf8
        return ByteBuffer(bytes: head)
    }

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
