import NIOHTTP1

/// The first line of an answer, with its line end. Source: RFC 9112 §4.
enum StatusLine {
    static func bytes(of status: Int) -> [UInt8] {
        lines.indices.contains(status) ? lines[status] : make(status)
    }

    /// The lines by status code.
    private static let lines = (0..<600).map { $0 < 100 ? [] : make($0) }

    private static func make(_ status: Int) -> [UInt8] {
        Array("HTTP/1.1 \(status) \(HTTPResponseStatus(statusCode: status).reasonPhrase)\r\n".utf8)
    }
}
