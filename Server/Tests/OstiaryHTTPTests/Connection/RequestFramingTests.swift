import NIOCore
import Testing

@testable import OstiaryHTTP

struct RequestFramingTests {
    /// Returns what was read, as text, or the refusal, with the input in pieces of a given size.
    private func outcome(_ input: String, piece: Int = .max, limits: ConnectionLimits = .init()) -> (
        String, RequestRefusal?
    ) {
        var framing = RequestFraming(limits: limits)
        var output = ""
        var rest = Array(input.utf8)[...]
        do throws(RequestRefusal) {
            while !rest.isEmpty {
                framing.append(ByteBuffer(bytes: rest.prefix(piece)))
                rest = rest.dropFirst(piece)
                while let part = try framing.next() { output += Self.text(part) }
            }
            return (output, nil)
        } catch {
            return (output, error)
        }
    }

    /// Returns the head as a line each, `|` and the body, and a full stop for the end.
    private static func text(_ part: RequestPart) -> String {
        switch part {
        case .whole(let request): return text(.head(request)) + "."
        case .head(let request):
            let target = request.query.isEmpty ? request.path : "\(request.path)?\(request.query)"
            let headers = request.headers.all.map { "\($0.name): \($0.value)\n" }
            let first = "\(request.method) \(request.authority ?? "nowhere") \(target)\n"
            return first + headers.joined() + (request.closes ? "connection: close\n|" : "|")
        case .body(let bytes): return String(buffer: bytes)
        case .end: return "."
        }
    }

    private let post = "POST /a?b=c HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"
    private let chunked = "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"

    @Test(arguments: [1, 2, 3, 7, 1_000])
    func `reads well-formed requests, wherever the packets break`(piece: Int) {
        let input = post + chunked + "\r\n" + "GET / HTTP/1.1\r\nhost:A:80\r\nX-Y:z \r\n\r\n"
        let (output, refusal) = outcome(input, piece: piece)
        #expect(refusal == nil)
        #expect(
            output == "POST a /a?b=c\ncontent-length: 5\n|hello."
                + "POST a /a\ntransfer-encoding: chunked\n|abc." + "GET A:80 /\nx-y: z\n|.")
    }

    @Test func `reports a head without a body together with the end of its request`() throws {
        var framing = RequestFraming(limits: .init())
        framing.append(ByteBuffer(string: "G"))
        #expect(try framing.next() == nil && framing.isReadingHead)
        framing.append(ByteBuffer(string: "ET / HTTP/1.1\r\nHost: a\r\n\r\n"))
        guard case .whole(let request) = try framing.next() else {
            Issue.record("no request")
            return
        }
        #expect(request.method == "GET" && request.authority == "a" && request.path == "/" && request.query == "")
        #expect(try framing.next() == nil && framing.isBetweenRequests)
    }

    @Test func `hides upgrades and says plainly that a connection ends`() {
        let (output, _) = outcome(
            "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: Upgrade, CLOSE\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n"
        )
        #expect(output == "GET a /\nconnection: close\n|.")
    }

    @Test func `ends the connection after a request of HTTP/1.0, which needs no host`() {
        let (output, refusal) = outcome("GET / HTTP/1.0\r\n\r\nGET /b HTTP/1.0\r\n\r\n")
        #expect(output == "GET nowhere /\nconnection: close\n|.")
        #expect(refusal == nil)
    }

    @Test func `turns a target in absolute form for the request's own host into its path`() {
        let (output, _) = outcome("GET http://A.example:80?x HTTP/1.1\r\nHost: a.example:80\r\n\r\n")
        #expect(output == "GET a.example:80 /?x\n|.")
    }

    @Test(arguments: [(100, nil), (101, RequestRefusal.Kind.headerTooLarge), (300, .headerTooLarge)])
    func `allows a hundred header lines`(count: Int, kind: RequestRefusal.Kind?) {
        let lines = (1..<count).map { "x\($0):y\r\n" }.joined()
        let (_, refusal) = outcome("GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n")
        #expect(refusal?.kind == kind)
    }

    @Test(arguments: [(16_384, nil), (16_385, RequestRefusal.Kind.headerTooLarge)])
    func `allows sixteen kibibytes of header`(bytes: Int, kind: RequestRefusal.Kind?) {
        let used = "Host: a\r\nx: \r\n".utf8.count
        let value = String(repeating: "v", count: bytes - used)
        let (_, refusal) = outcome("GET / HTTP/1.1\r\nHost: a\r\nx: \(value)\r\n\r\n")
        #expect(refusal?.kind == kind)
    }

    @Test(arguments: [(8_192, nil), (8_193, RequestRefusal.Kind.targetTooLong)])
    func `allows eight kibibytes of target`(bytes: Int, kind: RequestRefusal.Kind?) {
        let target = "/" + String(repeating: "t", count: bytes - 1)
        #expect(outcome("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n").1?.kind == kind)
    }

    @Test func `PT-01: hands on no header's value with bytes beyond ASCII`() {
        let (output, refusal) = outcome("GET / HTTP/1.1\r\nHost: a\r\nCookie: b=\u{E9}\u{300}; c=d\r\n\r\n")
        #expect(refusal == nil)
        #expect(output == "GET a /\ncookie: b=%C3%A9%CC%80; c=d\n|.")
    }

    @Test(arguments: ["Transfer-Encoding: chunked\u{300}", "Content-Length: 1\u{300}", "Expect: 100-continue\u{300}"])
    func `PT-01: takes no word with marks for one of the framing's`(line: String) {
        #expect(outcome("POST / HTTP/1.1\r\nHost: a\r\n\(line)\r\n\r\n").1 != nil)
    }

    @Test func `refuses a header line without end before it is complete`() {
        let blanks = String(repeating: " ", count: 20_000)
        #expect(outcome("GET / HTTP/1.1\r\nHost: a\r\nx:\(blanks)").1?.kind == .headerTooLarge)
    }

    @Test(arguments: [(65_536, nil), (65_537, RequestRefusal.Kind.bodyTooLarge)])
    func `allows sixty-four kibibytes of body by its announced length`(bytes: Int, kind: RequestRefusal.Kind?) {
        #expect(outcome("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(bytes)\r\n\r\n").1?.kind == kind)
    }

    @Test(arguments: [(65_536, nil), (65_537, RequestRefusal.Kind.bodyTooLarge)])
    func `allows sixty-four kibibytes of body in chunks`(bytes: Int, kind: RequestRefusal.Kind?) {
        let first = String(repeating: "x", count: 60_000)
        let second = String(repeating: "y", count: bytes - 60_000)
        let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        let chunks = "ea60\r\n\(first)\r\n\(String(bytes - 60_000, radix: 16))\r\n\(second)\r\n0\r\n\r\n"
        #expect(outcome(head + chunks).1?.kind == kind)
    }

    @Test(arguments: [
        "5;a=b\r\nhello\r\n0\r\n\r\n", "+5\r\nhello\r\n0\r\n\r\n", "0x5\r\nhello\r\n0\r\n\r\n",
        " 5\r\nhello\r\n0\r\n\r\n",
        "5\nhello\r\n0\r\n\r\n", "5\r\nhelloXX0\r\n\r\n", "5\r\nhello\r\n0\r\nTrailer: x\r\n\r\n", "\r\n",
        "000000005\r\nhello\r\n0\r\n\r\n", "5\r\nhello\n0\r\n\r\n",
    ])
    func `refuses chunks that another parser could read differently`(chunks: String) {
        let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(outcome(head + chunks).1?.kind == .malformed)
        #expect(outcome(head + chunks, piece: 1).1?.kind == .malformed)
    }

    @Test(arguments: ["a", "A.example", "127.0.0.1:3001", "[::1]:80", "my_host-1.example"])
    func `accepts a host`(host: String) {
        #expect(outcome("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n").1 == nil)
    }

    @Test(arguments: ["", "a b", "a/b", "user@a", "a:", "a:123456", "a:b", "[::1", "[]", "a,b", "a\u{e9}", "a?", "%61"])
    func `refuses what is no host`(host: String) {
        #expect(outcome("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n").1?.kind == .malformed)
    }
}
