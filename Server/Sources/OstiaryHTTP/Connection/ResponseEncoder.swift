import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Serializes responses. Source: RFC 9112 §4 and §6.
///
/// A body without a known length is sent in chunks.
final class ResponseEncoder: ChannelOutboundHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = ByteBuffer

    private var isChunked = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let response):
            context.write(wrapOutboundOut(head(of: response, context.channel.allocator)), promise: promise)
        case .body(let body):
            context.write(wrapOutboundOut(isChunked ? chunk(body) : body), promise: promise)
        case .end:
            // Without chunks nothing is left to write, but the promise is kept in its order.
            guard isChunked || promise != nil else { return }
            context.write(wrapOutboundOut(ByteBuffer(string: isChunked ? "0\r\n\r\n" : "")), promise: promise)
        }
    }

    private func head(of response: HTTPResponse, _ allocator: ByteBufferAllocator) -> ByteBuffer {
        let status = HTTPResponseStatus(
            statusCode: response.status.code, reasonPhrase: response.status.reasonPhrase)
        let hasBody = status.mayHaveResponseBody
        isChunked = hasBody
        var buffer = allocator.buffer(capacity: 512)
        buffer.writeStaticString("HTTP/1.1 ")
        buffer.writeString(String(status.code))
        buffer.writeStaticString(" ")
        buffer.writeString(status.reasonPhrase)
        buffer.writeStaticString("\r\n")
        for field in response.headerFields {
            if field.name == .contentLength {
                guard hasBody else { continue }
                isChunked = false
            }
            buffer.writeString(field.name.rawName)
            buffer.writeStaticString(": ")
            field.withUnsafeBytesOfValue { _ = buffer.writeBytes($0) }
            buffer.writeStaticString("\r\n")
        }
        if isChunked { buffer.writeStaticString("transfer-encoding: chunked\r\n") }
        buffer.writeStaticString("\r\n")
        return buffer
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
