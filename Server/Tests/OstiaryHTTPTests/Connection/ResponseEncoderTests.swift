import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import OstiaryHTTP

struct ResponseEncoderTests {
    /// Returns the bytes of a response, with `body` in pieces.
    private func encoded(_ response: HTTPResponse, body: [String] = []) throws -> String {
        let channel = EmbeddedChannel(handler: ResponseEncoder())
        try channel.writeOutbound(HTTPResponsePart.head(response))
        for piece in body { try channel.writeOutbound(HTTPResponsePart.body(ByteBuffer(string: piece))) }
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        var bytes = ByteBuffer()
        while let part = try channel.readOutbound(as: ByteBuffer.self) { bytes.writeImmutableBuffer(part) }
        return String(buffer: bytes)
    }

    @Test func `writes the status with its phrase, the headers in their order, and the body`() throws {
        let response = HTTPResponse(status: .init(code: 429), headerFields: [.retryAfter: "3", .contentLength: "5"])
        #expect(
            try encoded(response, body: ["hel", "lo"])
                == "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 3\r\nContent-Length: 5\r\n\r\nhello")
    }

    @Test func `sends a body without a length in chunks, and no empty one before the last`() throws {
        #expect(
            try encoded(HTTPResponse(status: .ok), body: ["0123456789abcdef", "", "x"])
                == "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10\r\n0123456789abcdef\r\n1\r\nx\r\n0\r\n\r\n")
    }

    @Test(arguments: [(100, "Continue"), (204, "No Content"), (304, "Not Modified")])
    func `announces no body where none may follow`(status: Int, phrase: String) throws {
        let response = HTTPResponse(status: .init(code: status), headerFields: [.contentLength: "0"])
        #expect(try encoded(response) == "HTTP/1.1 \(status) \(phrase)\r\n\r\n")
    }

    @Test func `writes no line end of a header's value`() throws {
        let response = HTTPResponse(
            status: .ok, headerFields: [.location: "/a\r\nSet-Cookie: b", .contentLength: "0"])
        #expect(try encoded(response) == "HTTP/1.1 200 OK\r\nLocation: /a  Set-Cookie: b\r\nContent-Length: 0\r\n\r\n")
    }
}
