#if NIO
import OstiaryClient
import OstiaryContracts
import OstiaryTestSupport
import Testing

@testable import OstiaryNIO

/// What it does beyond what every transport does.
struct NIOTransportTests {
    // URLSession sends neither.
    @Test(arguments: ["GET", "HEAD"])
    func `says where a body ends that its method has no use for`(_ method: String) async throws {
        let peer = try LoopbackPeer { _ in .text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
        defer { peer.stop() }
        _ = try await send(WireRequest(method: method, path: "/", body: Array("12345".utf8)), to: peer)
        let sent = try #require(peer.requests.last)
        #expect(!sent.contains("transfer-encoding") && sent.contains("content-length: 5\r\n"))
        #expect(sent.hasSuffix("\r\n\r\n12345"))
    }

    // URLSession has other names for these, and takes the second.
    @Test(arguments: [
        "Content-Length: x\r\n\r\n", "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", "A b: c\r\n\r\n",
    ])
    func `calls a header that is not HTTP by its name`(_ rest: String) async throws {
        let peer = try LoopbackPeer { _ in .last("HTTP/1.1 200 OK\r\n\(rest)") }
        defer { peer.stop() }
        await #expect(throws: TransportError.notHTTP) { try await send(to: peer) }
    }

    // Foundation's URLSession ends the process on Linux with the next two, and waits for its deadline with the third.

    @Test func `calls a connection lost that breaks within the header`() async throws {
        let peer = try LoopbackPeer { _ in .last("HTTP/1.1 200 OK\r\nX-A: b\r\n") }
        defer { peer.stop() }
        await #expect(throws: TransportError.connectionLost) { try await send(to: peer) }
        #expect(peer.requests.count == 1)
    }

    @Test func `passes over what comes behind a body in chunks`() async throws {
        let peer = try LoopbackPeer { _ in
            .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-End: 1\r\n\r\n")
        }
        defer { peer.stop() }
        #expect(try await send(to: peer).body == Array("{}".utf8))
    }

    @Test func `takes no other protocol`() async throws {
        let peer = try LoopbackPeer { _ in
            .text("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")
        }
        defer { peer.stop() }
        await #expect(throws: TransportError.notHTTP) { try await send(to: peer) }
    }

    @Test(arguments: [["X-Long: ", "a"], ["", "X-Many: a\r\n"]])
    func `takes no flood of headers`(_ parts: [String]) async throws {
        let headers = parts[0] + String(repeating: parts[1], count: 1 << 20)
        let peer = try LoopbackPeer { _ in .text("HTTP/1.1 200 OK\r\n\(headers)\r\nContent-Length: 0\r\n\r\n") }
        defer { peer.stop() }
        await #expect(throws: TransportError.tooLarge(maximumBytes: ExchangeLimits().headerBytes)) {
            try await send(to: peer)
        }
    }

    private func send(
        _ request: WireRequest = WireRequest(method: "GET", path: "/me"), to peer: LoopbackPeer
    ) async throws -> WireResponse {
        try await NIOTransport().send(request, to: BaseURL("http://127.0.0.1:\(peer.port)"), within: .seconds(20))
    }
}
#endif
