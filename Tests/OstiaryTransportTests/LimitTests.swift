import OstiaryClient
import OstiaryContracts
import OstiaryTestSupport
import Testing

/// How long it waits, and how much it takes.
struct LimitTests {
    // MARK: Time

    @Test(arguments: TestedTransport.allCases)
    func `gives up on a peer that never answers`(_ tested: TestedTransport) async throws {
        let peer = try LoopbackPeer { _ in .silence }
        defer { peer.stop() }
        await #expect(throws: TransportError.timedOut) {
            try await tested.made().send(to: peer, within: .milliseconds(200))
        }
    }

    @Test(
        arguments: TestedTransport.allCases,
        ["HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", "HTTP/1.1 200 OK\r\nX-Slow: "])
    func `gives up on a peer that never finishes`(_ tested: TestedTransport, _ head: String) async throws {
        let peer = try LoopbackPeer { _ in .drip(head: head, 0x61) }
        defer { peer.stop() }
        await #expect(throws: TransportError.timedOut) {
            try await tested.made().send(to: peer, within: .milliseconds(300))
        }
    }

    @Test(arguments: TestedTransport.allCases)
    func `gives up on a peer that never ends the handshake`(_ tested: TestedTransport) async throws {
        let peer = try LoopbackPeer { _ in .silence }
        defer { peer.stop() }
        await #expect(throws: TransportError.timedOut) {
            try await tested.made().send(
                .sample, to: BaseURL("https://127.0.0.1:\(peer.port)"), within: .milliseconds(200))
        }
    }

    @Test(arguments: TestedTransport.allCases, [Duration.zero, .seconds(-1)])
    func `sends nothing when the time is up`(_ tested: TestedTransport, _ deadline: Duration) async throws {
        let peer = try LoopbackPeer { _ in .ok }
        defer { peer.stop() }
        await #expect(throws: TransportError.timedOut) { try await tested.made().send(to: peer, within: deadline) }
        #expect(peer.requests.isEmpty)
    }

    @Test(arguments: TestedTransport.allCases)
    func `waits for as long as a deadline may be`(_ tested: TestedTransport) async throws {
        let peer = try LoopbackPeer { _ in .ok }
        defer { peer.stop() }
        #expect(try await tested.made().send(to: peer, within: .seconds(Int64.max)).status == 200)
    }

    @Test(arguments: TestedTransport.allCases)
    func `ends when its task is cancelled`(_ tested: TestedTransport) async throws {
        let (arrived, arrival) = AsyncStream.makeStream(of: Void.self)
        let peer = try LoopbackPeer { _ in
            arrival.yield()
            return .silence
        }
        defer { peer.stop() }
        let task = Task { try await tested.made().send(to: peer, within: .seconds(60)) }
        for await _ in arrived { break }
        task.cancel()
        await #expect(throws: TransportError.cancelled) { try await task.value }
    }

    @Test(arguments: TestedTransport.allCases)
    func `sends nothing for a task that was cancelled before`(_ tested: TestedTransport) async throws {
        let peer = try LoopbackPeer { _ in .ok }
        defer { peer.stop() }
        let (begin, beginning) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in begin { break }
            return try await tested.made().send(to: peer)
        }
        task.cancel()
        beginning.yield()
        await #expect(throws: TransportError.cancelled) { try await task.value }
        #expect(peer.requests.isEmpty)
    }

    // MARK: Size

    @Test(arguments: TestedTransport.allCases, [true, false])
    func `takes a body of the longest length and none that is longer`(_ tested: TestedTransport, _ isCounted: Bool)
        async throws
    {
        let most = TestedTransport.bodyBytes
        let peer = try LoopbackPeer { request in
            let count = most + (request.contains("/long") ? 1 : 0)
            let framing =
                isCounted
                ? "Content-Length: \(count)\r\n\r\n"
                : "Transfer-Encoding: chunked\r\n\r\n\(String(count, radix: 16))\r\n"
            let end = isCounted ? "" : "\r\n0\r\n\r\n"
            return .bytes(
                Array("HTTP/1.1 200 OK\r\n\(framing)".utf8) + [UInt8](repeating: 0x20, count: count) + Array(end.utf8))
        }
        defer { peer.stop() }
        let transport = try tested.made()
        #expect(try await transport.send(to: peer).body.count == most)
        await #expect(throws: TransportError.tooLarge(maximumBytes: most)) {
            try await transport.send(WireRequest(method: "GET", path: "/long"), to: peer)
        }
    }
}
