#if NIO
import Foundation
import OstiaryClient
import OstiaryContracts
import Testing

@testable import OstiaryNIO

struct NIOTransportLimitTests {
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

    @Test func `gives up on a peer that never finishes its header`() async throws {
        let peer = try LoopbackPeer { _ in .drip(head: "HTTP/1.1 200 OK\r\nX-Slow: ", 0x61) }
        defer { peer.stop() }
        await #expect(throws: TransportError.timedOut) { try await send(to: peer, within: .milliseconds(300)) }
    }

    @Test func `gives up on a peer that never ends the handshake`() async throws {
        let peer = try LoopbackPeer { _ in .silence }
        defer { peer.stop() }
        await #expect(throws: TransportError.timedOut) {
            try await transport.send(
                request, to: BaseURL("https://127.0.0.1:\(peer.port)"), within: .milliseconds(200))
        }
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `sends nothing when the time is up`(_ deadline: Duration) async throws {
        let peer = try LoopbackPeer { _ in Self.ok }
        defer { peer.stop() }
        await #expect(throws: TransportError.timedOut) { try await send(to: peer, within: deadline) }
        #expect(peer.requests.isEmpty)
    }

    @Test func `waits for as long as a deadline may be`() async throws {
        let peer = try LoopbackPeer { _ in Self.ok }
        defer { peer.stop() }
        #expect(try await send(to: peer, within: .seconds(Int64.max)).status == 200)
    }

    @Test(arguments: [true, false])
    func `takes a body of the longest length and none that is longer`(_ isCounted: Bool) async throws {
        let peer = try LoopbackPeer { request in
            let count = (1 << 20) + (request.contains("/long") ? 1 : 0)
            let framing =
                isCounted
                ? "Content-Length: \(count)\r\n\r\n"
                : "Transfer-Encoding: chunked\r\n\r\n\(String(count, radix: 16))\r\n"
            let end = isCounted ? "" : "\r\n0\r\n\r\n"
            return .bytes(
                Array("HTTP/1.1 200 OK\r\n\(framing)".utf8) + [UInt8](repeating: 0x20, count: count) + Array(end.utf8))
        }
        defer { peer.stop() }
        #expect(try await send(to: peer).body.count == 1 << 20)
        await #expect(throws: TransportError.tooLarge(maximumBytes: 1 << 20)) {
            try await send(WireRequest(method: "GET", path: "/long"), to: peer)
        }
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

    @Test func `sends nothing for a task that was cancelled before`() async throws {
        let peer = try LoopbackPeer { _ in Self.ok }
        defer { peer.stop() }
        let (begin, beginning) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in begin { break }
            return try await send(to: peer)
        }
        task.cancel()
        beginning.yield()
        await #expect(throws: TransportError.cancelled) { try await task.value }
        #expect(peer.requests.isEmpty)
    }
}
#endif
