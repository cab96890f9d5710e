#if NIO
import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryNIO
import Testing

struct NIOTransportTests {
    private let transport: NIOTransport
    private let request = WireRequest(
        method: "GET", path: "/me", headers: ["authorization": "Bearer canary", "accept": "application/json"])

    init() throws { transport = try NIOTransport(maximumBodyBytes: 1 << 20) }

    private func send(
        _ request: WireRequest? = nil, to peer: LoopbackPeer, within deadline: Duration = .seconds(20)
    ) async throws -> WireResponse {
        try await transport.send(
            request ?? self.request, to: BaseURL("http://127.0.0.1:\(peer.port)/base"), within: deadline)
    }

    private static let ok = LoopbackPeer.Answer.text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")

    @Test func `carries method, path, query, headers and body, and brings back status, headers and body`() async throws
    {
        let peer = try LoopbackPeer { _ in
            .text("HTTP/1.1 201 Created\r\nX-Thing: a\r\nX-Thing: b\r\nContent-Length: 2\r\n\r\n{}")
        }
        defer { peer.stop() }
        let answer = try await send(
            WireRequest(
                method: "PATCH", path: "/a%20b", query: "c=d%26e", headers: ["content-type": "application/json"],
                body: Array("{\"x\":1}".utf8)), to: peer)
        #expect(answer.status == 201 && answer.headers["x-thing"] == "a, b" && answer.body == Array("{}".utf8))
        let sent = try #require(peer.requests.first)
        #expect(sent.hasPrefix("PATCH /base/a%20b?c=d%26e HTTP/1.1\r\nhost: 127.0.0.1:\(peer.port)\r\n"))
        #expect(sent.contains("\r\ncontent-type: application/json\r\n") && sent.contains("\r\ncontent-length: 7\r\n"))
        #expect(sent.hasSuffix("\r\n\r\n{\"x\":1}"))
    }

    @Test(arguments: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "REPORT"])
    func `says where a request ends, whatever its method`(_ method: String) async throws {
        let peer = try LoopbackPeer { _ in Self.ok }
        defer { peer.stop() }
        for body in [[], Array("12345".utf8)] {
            #expect(try await send(WireRequest(method: method, path: "/", body: body), to: peer).status == 200)
            let sent = try #require(peer.requests.last)
            #expect(!sent.contains("transfer-encoding"))
            #expect(sent.contains("content-length: 5\r\n") == !body.isEmpty && sent.hasSuffix("12345") == !body.isEmpty)
        }
    }

    @Test func `asks for the root where the path is empty`() async throws {
        let peer = try LoopbackPeer { _ in Self.ok }
        defer { peer.stop() }
        let url = try BaseURL("http://127.0.0.1:\(peer.port)")
        _ = try await transport.send(WireRequest(method: "GET", path: "", query: "a"), to: url, within: .seconds(20))
        #expect(peer.requests.first?.hasPrefix("GET /?a HTTP/1.1\r\n") == true)
    }

    @Test func `reads a body in chunks, one that ends with its connection, and none`() async throws {
        let peer = try LoopbackPeer { request in
            if request.contains("/chunks") {
                return .text(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\nX-End: 1\r\n\r\n")
            }
            if request.contains("/end") { return .last("HTTP/1.1 200 OK\r\n\r\n{}") }
            return .text("HTTP/1.1 \(request.hasPrefix("HEAD") ? 200 : 204) OK\r\nContent-Length: 2\r\n\r\n")
        }
        defer { peer.stop() }
        for path in ["/chunks", "/end"] {
            #expect(try await send(WireRequest(method: "GET", path: path), to: peer).body == Array("{}".utf8))
        }
        #expect(try await send(WireRequest(method: "HEAD", path: "/"), to: peer).body.isEmpty)
        #expect(try await send(WireRequest(method: "GET", path: "/"), to: peer).status == 204)
    }

    @Test func `passes over informational answers, and takes no other protocol`() async throws {
        let peer = try LoopbackPeer { request in
            request.contains("/other")
                ? .text("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")
                : .text("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        defer { peer.stop() }
        let answer = try await send(to: peer)
        #expect(answer.status == 200 && answer.headers["link"] == nil)
        await #expect(throws: TransportError.notHTTP) {
            try await send(WireRequest(method: "GET", path: "/other"), to: peer)
        }
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `returns a redirect instead of taking the token to another host`(_ status: Int) async throws {
        let other = try LoopbackPeer { _ in Self.ok }
        defer { other.stop() }
        let location = "http://localhost:\(other.port)/steal"
        let peer = try LoopbackPeer { _ in
            .text("HTTP/1.1 \(status) Elsewhere\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
        }
        defer { peer.stop() }
        let answer = try await send(to: peer)
        #expect(answer.status == status && answer.headers["location"] == location)
        #expect(other.requests.isEmpty && peer.requests.count == 1)
    }

    @Test(arguments: ["Basic realm=\"x\"", "Negotiate", "NTLM"])
    func `answers no challenge`(_ challenge: String) async throws {
        let peer = try LoopbackPeer { _ in
            .text("HTTP/1.1 401 No\r\nWWW-Authenticate: \(challenge)\r\nContent-Length: 2\r\n\r\nno")
        }
        defer { peer.stop() }
        let answer = try await send(to: peer)
        #expect(answer.status == 401 && answer.body == Array("no".utf8) && peer.requests.count == 1)
    }

    @Test func `sends no cookie back, and asks again although the answer said it could be kept`() async throws {
        let peer = try LoopbackPeer { _ in
            .text(
                "HTTP/1.1 200 OK\r\nSet-Cookie: a=b; Path=/\r\nCache-Control: max-age=60\r\nContent-Length: 0\r\n\r\n")
        }
        defer { peer.stop() }
        for _ in 0..<2 { _ = try await send(to: peer) }
        #expect(peer.requests.count == 2 && !peer.requests.contains { $0.lowercased().contains("\r\ncookie:") })
    }

    // MARK: What goes wrong

    @Test func `calls a closed port offline`() async throws {
        let socket = try LoopbackSocket()
        defer { close(socket.descriptor) }
        await #expect(throws: TransportError.offline) {
            try await transport.send(request, to: BaseURL("http://127.0.0.1:\(socket.port)"), within: .seconds(20))
        }
    }

    @Test func `calls a host without an address offline`() async throws {
        await #expect(throws: TransportError.offline) {
            try await transport.send(request, to: BaseURL("https://nowhere.invalid"), within: .seconds(20))
        }
    }

    @Test(arguments: [
        "", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc", "HTTP/1.1 200 OK\r\nX-A: b\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
    ])
    func `calls a connection lost that breaks before the answer is whole`(_ text: String) async throws {
        let peer = try LoopbackPeer { _ in .last(text) }
        defer { peer.stop() }
        await #expect(throws: TransportError.connectionLost) { try await send(to: peer) }
        #expect(peer.requests.count == 1)
    }

    @Test(arguments: [
        "220 mail.example.com ESMTP\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "HTTP/1.1 200 OK\r\nA b: c\r\n\r\n",
        "\u{1}\u{2}\u{3}",
    ])
    func `calls what is not HTTP by its name`(_ text: String) async throws {
        let peer = try LoopbackPeer { _ in .last(text) }
        defer { peer.stop() }
        await #expect(throws: TransportError.notHTTP) { try await send(to: peer) }
    }

    @Test func `does not trust a server without TLS`() async throws {
        let peer = try LoopbackPeer(greeting: "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n") { _ in .silence }
        defer { peer.stop() }
        await #expect(throws: TransportError.untrusted) {
            try await transport.send(request, to: BaseURL("https://127.0.0.1:\(peer.port)"), within: .seconds(20))
        }
        #expect(!peer.requests.contains { $0.contains("canary") })
    }
}
#endif
