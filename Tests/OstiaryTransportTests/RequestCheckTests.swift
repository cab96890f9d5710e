import OstiaryClient
import OstiaryContracts
import OstiaryTestSupport
import Testing

struct RequestCheckTests {
    @Test(
        arguments: TestedTransport.allCases,
        [
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
            WireRequest(method: "GET", path: ".evil.example.com/"),
            WireRequest(method: "GET", path: ":9/"),
            WireRequest(method: "GET", path: "/../vici/me"),
            WireRequest(method: "GET", path: "/a/%2e%2E/b"),
            WireRequest(method: "GET", path: "/a b"),
            WireRequest(method: "GET", path: "/a?b"),
            WireRequest(method: "GET", path: "/a", query: "b#c"),
            WireRequest(method: "GET", path: "/a", query: "b HTTP/1.1\r\nX: y"),
            WireRequest(method: "GET", path: "/a\\..\\b"),
            WireRequest(method: "GET", path: "/a\r\nX: y"),
        ])
    func `refuses before sending what would become something else`(_ tested: TestedTransport, _ request: WireRequest)
        async throws
    {
        let peer = try LoopbackPeer { _ in .ok }
        defer { peer.stop() }
        await #expect(throws: TransportError.unsendable) { try await tested.made().send(request, to: peer) }
        #expect(peer.requests.isEmpty)
    }
}
