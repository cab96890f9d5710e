import NIOCore
import NIOEmbedded
import Testing

@testable import OstiaryHTTP

struct ResponseEncoderTests {
    private func encoded(_ parts: ResponsePart...) throws -> String {
        let channel = EmbeddedChannel(handler: ResponseEncoder())
        for part in parts { try channel.writeOutbound(part) }
        var bytes = ByteBuffer()
        while let part = try channel.readOutbound(as: ByteBuffer.self) { bytes.writeImmutableBuffer(part) }
        return String(buffer: bytes)
    }

    private func whole(
        _ status: Int, _ headers: [(String, String)] = [], body: String = "", closes: Bool = false,
        omitsBody: Bool = false
    ) -> ResponsePart {
        var head = ResponseHead(status: status, headers: HeaderLines(headers.map { (name: $0.0, value: $0.1) }))
        head.closes = closes
        return .whole(WholeResponse(head: head, body: Array(body.utf8), omitsBody: omitsBody))
    }

    @Test func `writes the status with its phrase, the headers in their order, and the body`() throws {
        #expect(
            try encoded(whole(429, [("Retry-After", "3"), ("Date", "now")], body: "hello"))
                == "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 3\r\nDate: now\r\nContent-Length: 5\r\n\r\nhello")
    }

    @Test func `says that the connection ends`() throws {
        #expect(
            try encoded(whole(200, closes: true))
                == "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    }

    @Test func `tells the length of a body that it omits`() throws {
        #expect(
            try encoded(whole(200, body: "hello", omitsBody: true)) == "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
    }

    @Test(arguments: [16_384, 16_385, 1_000_000])
    func `writes long bodies`(count: Int) throws {
        let body = String(repeating: "x", count: count)
        #expect(
            try encoded(whole(200, body: body)) == "HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n\(body)")
    }

    @Test func `sends a body without a length in chunks, and no empty one before the last`() throws {
        #expect(
            try encoded(
                .head(ResponseHead(status: 200)), .body(ByteBuffer(string: "0123456789abcdef")), .body(ByteBuffer()),
                .body(ByteBuffer(string: "x")), .end)
                == "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10\r\n0123456789abcdef\r\n1\r\nx\r\n0\r\n\r\n")
    }

    @Test(arguments: [(204, "No Content"), (304, "Not Modified")])
    func `writes no body where none may follow`(status: Int, phrase: String) throws {
        #expect(try encoded(whole(status, body: "hello")) == "HTTP/1.1 \(status) \(phrase)\r\n\r\n")
    }

    @Test func `writes the interim answer before the answer`() throws {
        #expect(
            try encoded(.continue, whole(200))
                == "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }
}
