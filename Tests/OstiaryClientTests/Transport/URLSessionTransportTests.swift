import OstiaryContracts
import OstiaryTestSupport
import Testing

@testable import OstiaryClient

/// What it does beyond what every transport does.
struct URLSessionTransportTests {
    private let transport = URLSessionTransport(maximumBodyBytes: 100, environment: [:])
    private let request = WireRequest(method: "GET", path: "/me", headers: ["authorization": "Bearer canary"])

    @Test(arguments: ["GET", "HEAD"])
    func `refuses before sending a body that would not be sent`(_ method: String) async throws {
        let peer = try LoopbackPeer { _ in .text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
        defer { peer.stop() }
        let request = WireRequest(method: method, path: "/me", body: [0x61])
        await #expect(throws: TransportError.unsendable) {
            try await transport.send(request, to: BaseURL("http://127.0.0.1:\(peer.port)"), within: .seconds(10))
        }
        #expect(peer.requests.isEmpty)
    }

    @Test func `does not trust a certificate of the server's own making`() async throws {
        let server = try await SelfSignedServer()
        defer { server.stop() }
        await #expect(throws: TransportError.untrusted) {
            try await transport.send(request, to: BaseURL("https://localhost:\(server.port)"), within: .seconds(10))
        }
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
}
