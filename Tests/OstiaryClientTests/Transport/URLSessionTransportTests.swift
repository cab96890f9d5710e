import Foundation
import OstiaryContracts
import Testing

@testable import OstiaryClient

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

struct URLSessionTransportTests {
    private let transport = URLSessionTransport(maximumBodyBytes: 1 << 20, environment: [:])
    private let request = WireRequest(
        method: "GET", path: "/me", headers: ["authorization": "Bearer canary", "accept": "application/json"])

    private func send(
        _ request: WireRequest? = nil, to peer: LoopbackPeer, within deadline: Duration = .seconds(10)
    ) async throws -> WireResponse {
        try await transport.send(
            request ?? self.request, to: BaseURL("http://127.0.0.1:\(peer.port)/base"), within: deadline)
    }

    @Test func `carries method, path, query, headers and body, and brings back status, headers and body`() async throws
    {
        let peer = try LoopbackPeer { _ in .text("HTTP/1.1 201 Created\r\nX-Thing: a\r\nContent-Length: 2\r\n\r\n{}") }
        defer { peer.stop() }
        let answer = try await send(
            WireRequest(
                method: "PATCH", path: "/a%20b", query: "c=d%26e", headers: ["content-type": "application/json"],
                body: Array("{\"x\":1}".utf8)), to: peer)
        #expect(answer.status == 201 && answer.headers["x-thing"] == "a" && answer.body == Array("{}".utf8))
        let sent = try #require(peer.requests.first)
        #expect(sent.hasPrefix("PATCH /base/a%20b?c=d%26e HTTP/1.1\r\n"))
        #expect(sent.lowercased().contains("\r\ncontent-type: application/json\r\n") && sent.hasSuffix("{\"x\":1}"))
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `returns a redirect to another origin instead of following it`(_ status: Int) async throws {
        let other = try LoopbackPeer { _ in .text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
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

    @Test(arguments: ["/x", "timetracker://oauth/callback?code=1&state=2", "http://[bad", ""])
    func `returns any redirect`(_ location: String) async throws {
        let header = location.isEmpty ? "" : "Location: \(location)\r\n"
        let peer = try LoopbackPeer { _ in .text("HTTP/1.1 302 Found\r\n\(header)Content-Length: 0\r\n\r\n") }
        defer { peer.stop() }
        #expect(try await send(to: peer).status == 302)
        #expect(peer.requests.count == 1)
    }

    @Test(arguments: ["Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"y\"", "Bearer", "Negotiate", "NTLM"])
    func `answers no challenge and hangs on none`(_ challenge: String) async throws {
        let peer = try LoopbackPeer { _ in
            .text("HTTP/1.1 401 No\r\nWWW-Authenticate: \(challenge)\r\nContent-Length: 2\r\n\r\nno")
        }
        defer { peer.stop() }
        let answer = try await send(to: peer)
        #expect(answer.status == 401 && answer.body == Array("no".utf8) && peer.requests.count == 1)
    }

    @Test func `gives up on a peer that never answers`() async throws {
        let peer = try LoopbackPeer { _ in .silence }
        defer { peer.stop() }
        await #expect(throws: TransportError.timedOut) { try await send(to: peer, within: .milliseconds(200)) }
    }

    @Test func `gives up on a peer that never finishes`() async throws {
        let peer = try LoopbackPeer { _ in .drip(head: "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", 0x20) }
        defer { peer.stop() }
        await #expect(throws: TransportError.timedOut) { try await send(to: peer, within: .milliseconds(300)) }
    }

    @Test func `takes a body of the longest length and none of two mebibytes`() async throws {
        let peer = try LoopbackPeer { request in
            let count = request.contains("/long") ? 2 << 20 : 1 << 20
            let head = Array("HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n".utf8)
            return .bytes(head + [UInt8](repeating: 0x20, count: count))
        }
        defer { peer.stop() }
        #expect(try await send(to: peer).body.count == 1 << 20)
        await #expect(throws: TransportError.tooLarge(maximumBytes: 1 << 20)) {
            try await send(WireRequest(method: "GET", path: "/long"), to: peer)
        }
    }

    @Test func `brings back a page of HTML as it is`() async throws {
        let peer = try LoopbackPeer { _ in
            .text("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n<html></html>")
        }
        defer { peer.stop() }
        #expect(try await send(to: peer).body == Array("<html></html>".utf8))
    }

    @Test func `sends no cookie back`() async throws {
        let peer = try LoopbackPeer { _ in
            .text("HTTP/1.1 200 OK\r\nSet-Cookie: a=b; Path=/\r\nContent-Length: 0\r\n\r\n")
        }
        defer { peer.stop() }
        _ = try await send(to: peer)
        _ = try await send(to: peer)
        #expect(peer.requests.count == 2)
        #expect(!peer.requests.contains { $0.lowercased().contains("\r\ncookie:") })
    }

    @Test func `asks again although the answer said it could be kept`() async throws {
        let peer = try LoopbackPeer { _ in
            .text("HTTP/1.1 200 OK\r\nCache-Control: max-age=3600\r\nETag: \"1\"\r\nContent-Length: 0\r\n\r\n")
        }
        defer { peer.stop() }
        _ = try await send(to: peer)
        _ = try await send(to: peer)
        #expect(peer.requests.count == 2)
    }

    @Test func `calls a closed port offline`() async throws {
        let socket = try LoopbackSocket()
        defer { close(socket.descriptor) }
        await #expect(throws: TransportError.offline) {
            try await transport.send(request, to: BaseURL("http://127.0.0.1:\(socket.port)"), within: .seconds(10))
        }
    }

    @Test func `calls a host without an address offline`() async throws {
        await #expect(throws: TransportError.offline) {
            try await transport.send(request, to: BaseURL("https://nowhere.invalid"), within: .seconds(10))
        }
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"])
    func `calls a connection lost that breaks before the answer is whole`(_ text: String) async throws {
        let peer = try LoopbackPeer { _ in .last(text) }
        defer { peer.stop() }
        await #expect(throws: TransportError.connectionLost) { try await send(to: peer) }
    }

    @Test func `calls what is not HTTP by its name`() async throws {
        let peer = try LoopbackPeer { _ in .last("220 mail.example.com ESMTP\r\n") }
        defer { peer.stop() }
        await #expect(throws: TransportError.notHTTP) { try await send(to: peer) }
    }

    @Test func `does not trust a server without TLS`() async throws {
        let peer = try LoopbackPeer(greeting: "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n") { _ in .silence }
        defer { peer.stop() }
        await #expect(throws: TransportError.untrusted) {
            try await transport.send(request, to: BaseURL("https://127.0.0.1:\(peer.port)"), within: .seconds(10))
        }
        #expect(!peer.requests.contains { $0.contains("canary") })
    }

    @Test func `does not trust a certificate of the server's own making`() async throws {
        let server = try SelfSignedServer()
        defer { server.stop() }
        await #expect(throws: TransportError.untrusted) {
            try await transport.send(request, to: BaseURL("https://localhost:\(server.port)"), within: .seconds(10))
        }
    }

    @Test func `ends when its task is cancelled`() async throws {
        let (arrived, arrival) = AsyncStream.makeStream(of: Void.self)
        let peer = try LoopbackPeer { _ in
            arrival.yield()
            return .silence
        }
        defer { peer.stop() }
        let task = Task { try await send(to: peer, within: .seconds(60)) }
        for await _ in arrived { break }
        task.cancel()
        await #expect(throws: TransportError.cancelled) { try await task.value }
    }

    #if canImport(FoundationNetworking)
    @Test func `sends nothing in the clear through a proxy`() async throws {
        let proxy = try LoopbackPeer { _ in .text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
        defer { proxy.stop() }
        let transport = URLSessionTransport(
            maximumBodyBytes: 100, environment: ["http_proxy": "http://127.0.0.1:\(proxy.port)"])
        await #expect(throws: TransportError.wouldBeProxied) {
            try await transport.send(request, to: BaseURL("http://127.0.0.1:\(proxy.port)"), within: .seconds(10))
        }
        #expect(proxy.requests.isEmpty)
    }
    #endif

    @Test(arguments: [
        (["http_proxy": "p"], "http://localhost", true), (["ALL_PROXY": "p"], "http://localhost", true),
        (["http_proxy": "p"], "https://example.com", false), (["http_proxy": ""], "http://localhost", false),
        (["http_proxy": "p", "no_proxy": "a,localhost"], "http://localhost", false),
        (["http_proxy": "p", "NO_PROXY": "*"], "http://127.0.0.1", false),
        (["http_proxy": "p", "no_proxy": "localhost.example.com"], "http://localhost", true),
        ([:], "http://[::1]", false),
    ])
    func `knows what a proxy reads`(_ environment: [String: String], _ url: String, _ isRead: Bool) throws {
        #expect(PlainHTTPProxy.reads(try BaseURL(url), environment: environment) == isRead)
    }

    @Test(arguments: [
        WireRequest(method: "GET", path: "/", headers: ["authorization": "Bearer a\r\nX-Admin: 1"]),
        WireRequest(method: "GET", path: "/", headers: ["authorization": "Bearer a\nb"]),
        WireRequest(method: "GET", path: "/", headers: ["authorization": "Bearer a\u{0}b"]),
        WireRequest(method: "GET", path: "/", headers: ["authorization": "Bearer \u{E4}"]),
        WireRequest(method: "GET", path: "/", headers: ["x\r\ny": "a"]),
        WireRequest(method: "GET", path: "/", headers: ["host": "evil.example.com"]),
        WireRequest(method: "POST", path: "/", headers: ["Content-Length": "0"], body: [0x61]),
        WireRequest(method: "GET", path: "/", headers: ["authorization": "a", "Authorization": "b"]),
        WireRequest(method: "GET / HTTP/1.1\r\nX: y\r\n\r\n", path: "/"),
        WireRequest(method: "", path: "/"),
        WireRequest(method: "GET", path: "@evil.example.com/"),
        WireRequest(method: "GET", path: ".evil.example.com/"),
        WireRequest(method: "GET", path: ":9/"),
        WireRequest(method: "GET", path: "/../vici/me"),
        WireRequest(method: "GET", path: "/a/%2e%2E/b"),
        WireRequest(method: "GET", path: "/a b"),
        WireRequest(method: "GET", path: "/a?b"),
        WireRequest(method: "GET", path: "/a", query: "b#c"),
        WireRequest(method: "GET", path: "/a\\..\\b"),
        WireRequest(method: "GET", path: "/a\r\nX: y"),
    ])
    func `refuses before sending what would become something else`(_ request: WireRequest) async throws {
        let peer = try LoopbackPeer { _ in .text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
        defer { peer.stop() }
        await #expect(throws: TransportError.unsendable) { try await send(request, to: peer) }
        #expect(peer.requests.isEmpty)
    }
}
