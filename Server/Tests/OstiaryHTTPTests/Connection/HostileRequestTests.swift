import Foundation
import OstiaryHTTP
import Testing

/// Malicious requests, over real sockets. `/smuggled` must never reach a route.
@Suite(.timeLimit(.minutes(5)))
struct HostileRequestTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        let bytes: [UInt8]
        let status: Int
        var testDescription: String { name }

        init(_ name: String, _ text: String, status: Int = 400) {
            self.name = name
            bytes = Array(text.utf8)
            self.status = status
        }

        init(_ name: String, bytes: [UInt8], status: Int = 400) {
            self.name = name
            self.bytes = bytes
            self.status = status
        }
    }

    private static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"

    private static func post(_ headers: String, _ body: String = "") -> String {
        "POST /echo HTTP/1.1\r\nHost: a\r\n\(headers)\r\n\(body)"
    }

    private static func get(_ headers: String, target: String = "/healthz", method: String = "GET") -> String {
        "\(method) \(target) HTTP/1.1\r\n\(headers)\r\n"
    }

    static let rows: [Row] = [
        Row("CL.TE", post("Content-Length: 6\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\nG")),
        Row(
            "TE.CL",
            post("Transfer-Encoding: chunked\r\nContent-Length: 4\r\n", "5c\r\nGPOST / HTTP/1.1\r\n\r\n0\r\n\r\n")),
        Row("TE.TE", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: cow\r\n", "0\r\n\r\n")),
        Row("two TE", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")),
        Row("TE xchunked", post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n")),
        Row("TE gzip, chunked", post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n")),
        Row("TE identity", post("Transfer-Encoding: identity\r\n")),
        Row("TE with a vertical tab", post("Transfer-Encoding: \u{0B}chunked\r\n", "0\r\n\r\n")),
        Row("TE space before colon", post("Transfer-Encoding : chunked\r\n", "0\r\n\r\n")),
        Row("TE in HTTP/1.0", "POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Row("two equal CL", post("Content-Length: 1\r\nContent-Length: 1\r\n", "x")),
        Row("two CL", post("Content-Length: 1\r\nContent-Length: 2\r\n", "xy")),
        Row("CL list", post("Content-Length: 1, 1\r\n", "x")),
        Row("CL +5", post("Content-Length: +5\r\n", "hello")),
        Row("CL -1", post("Content-Length: -1\r\n")),
        Row("CL 0x5", post("Content-Length: 0x5\r\n", "hello")),
        Row("CL 5.0", post("Content-Length: 5.0\r\n", "hello")),
        Row("CL empty", post("Content-Length:\r\n")),
        Row("CL beyond 64 bits", post("Content-Length: 18446744073709551617\r\n", "x")),
        Row("bare LF throughout", "GET /healthz HTTP/1.1\nHost: a\n\n"),
        Row("bare LF in header", get("Host: a\nX: y\r\n")),
        Row("bare CR in header", get("Host: a\r\nX: y\rZ: z\r\n")),
        Row("obs-fold", get("Host: a\r\nX: y\r\n z\r\n")),
        Row("obs-fold on the first header", get(" Host: a\r\nHost: a\r\n")),
        Row("space before colon", get("Host : a\r\n")),
        Row("space in name", get("Host: a\r\nX Y: z\r\n")),
        Row("no name", get("Host: a\r\n: z\r\n")),
        Row("no colon", get("Host: a\r\nXY\r\n")),
        Row("NUL in value", get("Host: a\r\nX: a\u{0}b\r\n")),
        Row("NUL in target", get("Host: a\r\n", target: "/a\u{0}b")),
        Row("delete in value", get("Host: a\r\nX: a\u{7F}b\r\n")),
        Row("no host", get("X: y\r\n")),
        Row("two hosts", get("Host: a\r\nHost: b\r\n")),
        Row("two equal hosts", get("Host: a\r\nHost: a\r\n")),
        Row("empty host", get("Host:\r\n")),
        Row("host with a path", get("Host: a/b\r\n")),
        Row("absolute form, other host", get("Host: a\r\n", target: "http://evil.example/healthz")),
        Row("absolute form, user information", get("Host: evil.example\r\n", target: "http://a@evil.example/healthz")),
        Row("absolute form, other scheme", get("Host: a\r\n", target: "file:///etc/passwd")),
        Row("authority form", get("Host: a\r\n", target: "a:80")),
        Row("CONNECT", get("Host: evil.example:443\r\n", target: "evil.example:443", method: "CONNECT")),
        Row("CONNECT to a path", get("Host: a\r\n", target: "/healthz", method: "CONNECT")),
        Row("asterisk for GET", get("Host: a\r\n", target: "*")),
        Row("target without slash", get("Host: a\r\n", target: "healthz")),
        Row("fragment", get("Host: a\r\n", target: "/healthz#a")),
        Row("two spaces", "GET  /healthz HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row("tab", "GET\t/healthz HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row("raw UTF-8 target", get("Host: a\r\n", target: "/h\u{e9}")),
        Row("unknown method", get("Host: a\r\n", method: "BREW")),
        Row("lower-case method", get("Host: a\r\n", method: "get")),
        Row("HTTP/0.9", "GET /healthz\r\n\r\n"),
        Row("HTTP/1.2", "GET /healthz HTTP/1.2\r\nHost: a\r\n\r\n"),
        Row("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        Row("two empty lines first", "\r\n\r\n" + get("Host: a\r\n")),
        Row("two authorizations", get("Host: a\r\nAuthorization: Bearer a\r\nauthorization: Bearer b\r\n")),
        Row(
            "two content types",
            post("Content-Type: application/json\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n")),
        Row("other expectation", post("Expect: 200-ok\r\nContent-Length: 0\r\n"), status: 417),
        Row("TLS ClientHello", bytes: [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03, 0x03]),
        Row("random bytes", bytes: [0x8F, 0x01, 0xFE, 0x47, 0x00, 0x0A]),
        Row("101 headers", get("Host: a\r\n" + String(repeating: "a:b\r\n", count: 100)), status: 431),
        Row("300,000 headers", get("Host: a\r\n" + String(repeating: "a:b\r\n", count: 300_000)), status: 431),
        Row("16 KiB header", get("Host: a\r\nX: \(String(repeating: "y", count: 16_384))\r\n"), status: 431),
        Row("80 KiB header", get("Host: a\r\nX: \(String(repeating: "y", count: 81_920))\r\n"), status: 431),
        Row("64 KiB target", get("Host: a\r\n", target: "/" + String(repeating: "y", count: 65_536)), status: 414),
        Row("body one too long", post("Content-Length: 65537\r\n"), status: 413),
        Row("5 MB body", post("Content-Length: 5000000\r\n", String(repeating: "x", count: 5_000_000)), status: 413),
        Row("1 GB announced", post("Content-Length: 1000000000\r\n"), status: 413),
        Row(
            "endless chunks",
            post("Transfer-Encoding: chunked\r\n", String(repeating: "8\r\nxxxxxxxx\r\n", count: 10_000)), status: 413),
        Row("chunk larger than the limit", post("Transfer-Encoding: chunked\r\n", "ffffffff\r\n"), status: 413),
        Row("chunk extension", post("Transfer-Encoding: chunked\r\n", "1;a\r\nx\r\n0\r\n\r\n")),
        Row("trailer", post("Transfer-Encoding: chunked\r\n", "1\r\nx\r\n0\r\nHost: b\r\n\r\n")),
    ]

    @Test(arguments: rows)
    func `refuses, closes, and sees no second request`(row: Row) async throws {
        try await TestServer.run { server in
            let answer = try await RawConnection.exchange(port: server.port, row.bytes + Array(Self.smuggled.utf8))
            #expect(statuses(answer) == [row.status])
            #expect(answer.lowercased().contains("connection: close\r\n"))
            #expect(answer.contains(#"{"error":""#))
            #expect(!server.record.seen.contains { $0.contains("smuggled") })
            let healthy = "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            #expect(statuses(try await RawConnection.exchange(port: server.port, healthy)) == [200])
            #expect(server.metrics.counts.refused.values.reduce(0, +) == 1)
        }
    }

    @Test func `takes a smuggled request inside a body for body`() async throws {
        try await TestServer.run { server in
            let length = Self.smuggled.utf8.count
            let answer = try await RawConnection.exchange(
                port: server.port, Self.post("Content-Length: \(length)\r\nConnection: close\r\n", Self.smuggled))
            #expect(statuses(answer) == [200])
            #expect(answer.contains("[:\(Self.smuggled)]"))
            #expect(server.record.seen == ["POST /echo"])
        }
    }
}
