#if NIO
import OstiaryClient
import OstiaryContracts
import OstiaryNIO
import Testing

struct RequestCheckTests {
    @Test(arguments: [
        WireRequest(method: "GET", path: "/", headers: ["authorization": "Bearer a\r\nX-Admin: 1"]),
        WireRequest(method: "GET", path: "/", headers: ["authorization": "Bearer a\nb"]),
        WireRequest(method: "GET", path: "/", headers: ["authorization": "Bearer a\u{0}b"]),
        WireRequest(method: "GET", path: "/", headers: ["authorization": "Bearer \u{E4}"]),
        WireRequest(method: "GET", path: "/", headers: ["x\r\ny": "a"]),
        WireRequest(method: "GET", path: "/", headers: ["authorization": "a", "Authorization": "b"]),
        WireRequest(method: "GET", path: "/", headers: ["host": "evil.example.com"]),
        WireRequest(method: "POST", path: "/", headers: ["Content-Length": "0"], body: [0x61]),
        WireRequest(method: "POST", path: "/", headers: ["transfer-encoding": "chunked"], body: [0x61]),
        WireRequest(method: "GET", path: "/", headers: ["connection": "upgrade"]),
        WireRequest(method: "GET / HTTP/1.1\r\nX: y\r\n\r\n", path: "/"),
        WireRequest(method: "", path: "/"),
        WireRequest(method: "CONNECT", path: "/"),
        WireRequest(method: "GET", path: "@evil.example.com/"),
        WireRequest(method: "GET", path: "/../vici/me"),
        WireRequest(method: "GET", path: "/a/%2e%2E/b"),
        WireRequest(method: "GET", path: "/a b"),
        WireRequest(method: "GET", path: "/a?b"),
        WireRequest(method: "GET", path: "/a", query: "b#c"),
        WireRequest(method: "GET", path: "/a", query: "b HTTP/1.1\r\nX: y"),
        WireRequest(method: "GET", path: "/a\r\nX: y"),
    ])
    func `refuses before sending what would become something else`(_ request: WireRequest) async throws {
        let peer = try LoopbackPeer { _ in .text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
        defer { peer.stop() }
        let url = try BaseURL("http://127.0.0.1:\(peer.port)/base")
        await #expect(throws: TransportError.unsendable) {
            try await NIOTransport().send(request, to: url, within: .seconds(20))
        }
        #expect(peer.requests.isEmpty)
    }
}
#endif
