#if NIO
import OstiaryClient
import OstiaryContracts
import OstiaryTestSupport
import Synchronization
import OstiaryTesting
import Testing

@testable import OstiaryNIO

struct ConnectionReuseTests {
    private let time = TestClock(skippingSleeps: .seconds(86_400))

    private func transport(
        _ limits: ExchangeLimits = ExchangeLimits(), pins: PinSet = .none, roots: TrustRoots = .system
    ) throws -> NIOTransport {
        try NIOTransport(pins: pins, roots: roots, limits: limits, system: time.system)
    }

    private func send(
        _ method: String = "GET", _ path: String = "/", to peer: LoopbackPeer, by transport: NIOTransport
    ) async throws -> WireResponse {
        let request = WireRequest(method: method, path: path)
        return try await transport.send(request, to: BaseURL("http://127.0.0.1:\(peer.port)"), within: .seconds(20))
    }

    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    /// Hangs up instead of answering where `isLost` says so of the request with that number.
    private func peer(losing isLost: @escaping @Sendable (Int) -> Bool) throws -> LoopbackPeer {
        let count = Mutex(0)
        return try LoopbackPeer { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return isLost(number) ? .last("") : .text(Self.ok)
        }
    }

    @Test func `one request after another goes over one connection`() async throws {
        let peer = try peer { _ in false }
        defer { peer.stop() }
        let transport = try transport()
        for method in ["GET", "POST", "DELETE", "HEAD"] { _ = try await send(method, to: peer, by: transport) }
        #expect(peer.requests.count == 4 && peer.connections == 1)
    }

    @Test func `a verified connection is not verified again`() async throws {
        let authority = try await TestAuthority.shared.value
        let peer = try await TLSPeer(["leaf", "intermediate"], of: authority)
        defer { peer.stop() }
        var transport: NIOTransport? = try await transport(pins: .of("leaf"), roots: authority.roots("root"))
        for _ in 0..<3 {
            let request = WireRequest(method: "POST", path: "/")
            _ = try await transport?.send(request, to: peer.url(), within: .seconds(20))
        }
        transport = nil
        let seen = try await peer.ended()
        #expect(seen.requests.count == 3 && !seen.isTimedOut)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
        ok + "more",
    ])
    func `uses no connection again that is said to close, or that says more than was asked`(_ answer: String)
        async throws
    {
        let peer = try LoopbackPeer { _ in .text(answer) }
        defer { peer.stop() }
        let transport = try transport()
        for _ in 0..<3 { #expect(try await send("POST", to: peer, by: transport).status == 200) }
        #expect(peer.requests.count == 3 && peer.connections == 3)
    }

    @Test func `takes no bytes behind an answer for the answer to the next request`() async throws {
        let forged = "HTTP/1.1 200 OK\r\nX-Forged: 1\r\nContent-Length: 0\r\n\r\n"
        let peer = try LoopbackPeer { _ in .text(Self.ok + forged) }
        defer { peer.stop() }
        var limits = ExchangeLimits()
        limits.connections = 1
        let transport = try transport(limits)
        let answers = try await withThrowingTaskGroup(of: WireResponse.self) { group in
            for _ in 0..<20 { group.addTask { try await send(to: peer, by: transport) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 20 && !answers.contains { $0.headers["x-forged"] != nil })
    }

    @Test func `asks again, once, where a kept connection was closed under a GET`() async throws {
        let peer = try peer { $0 == 2 }
        defer { peer.stop() }
        let transport = try transport()
        for _ in 0..<2 { #expect(try await send(to: peer, by: transport).status == 200) }
        #expect(peer.requests.count == 3 && peer.connections == 2)
        let worse = try self.peer { $0 > 1 }
        defer { worse.stop() }
        _ = try await send(to: worse, by: transport)
        await #expect(throws: TransportError.connectionLost) { try await send(to: worse, by: transport) }
        #expect(worse.requests.count == 3)
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE"])
    func `never repeats what might have been done`(_ method: String) async throws {
        let peer = try peer { $0 == 2 }
        defer { peer.stop() }
        let transport = try transport()
        _ = try await send(method, to: peer, by: transport)
        await #expect(throws: TransportError.connectionLost) { try await send(method, to: peer, by: transport) }
        #expect(peer.requests.count == 2)
    }

    @Test func `repeats nothing that was answered in part`() async throws {
        let peer = try LoopbackPeer { request in
            request.contains("/part") ? .last("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab") : .text(Self.ok)
        }
        defer { peer.stop() }
        let transport = try transport()
        _ = try await send(to: peer, by: transport)
        await #expect(throws: TransportError.connectionLost) { try await send("GET", "/part", to: peer, by: transport) }
        #expect(peer.requests.count == 2)
    }

    @Test func `goes on with servers that hang up after every answer`() async throws {
        let peer = try LoopbackPeer { _ in .last(Self.ok) }
        defer { peer.stop() }
        let transport = try transport()
        for _ in 0..<50 { #expect(try await send(to: peer, by: transport).status == 200) }
        #expect(peer.requests.count == 50)
    }

    @Test func `what cannot be repeated takes a connection used lately, or a new one`() async throws {
        let peer = try peer { _ in false }
        defer { peer.stop() }
        let transport = try transport()
        _ = try await send("POST", to: peer, by: transport)
        time.advance(by: .seconds(3))
        _ = try await send("GET", to: peer, by: transport)
        #expect(peer.connections == 1)
        time.advance(by: .seconds(3))
        _ = try await send("POST", to: peer, by: transport)
        #expect(peer.connections == 2)
        time.advance(by: .seconds(31))
        _ = try await send("GET", to: peer, by: transport)
        #expect(peer.connections == 3)
    }

    @Test func `closes a connection that is idle for too long`() async throws {
        let authority = try await TestAuthority.shared.value
        let peer = try await TLSPeer(["leaf", "intermediate"], of: authority)
        defer { peer.stop() }
        var limits = ExchangeLimits()
        limits.idle = .milliseconds(50)
        let transport = try transport(limits, roots: authority.roots("root"))
        _ = try await transport.send(WireRequest(method: "GET", path: "/"), to: peer.url(), within: .seconds(20))
        let seen = try await peer.ended()
        #expect(seen.requests.count == 1 && !seen.isTimedOut)
        _ = transport.enforces(.none)
    }

    @Test func `opens no more connections than it may, and serves all who wait`() async throws {
        let peer = try peer { $0 % 7 == 0 }
        defer { peer.stop() }
        var limits = ExchangeLimits()
        limits.connections = 2
        let transport = try transport(limits)
        let answered = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<60 { group.addTask { (try? await send("POST", to: peer, by: transport)) != nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        // Every seventh request was lost with its connection.
        #expect(peer.requests.count == 60 && answered == 52 && peer.connections <= 2 + 8)
    }

    @Test func `who waits for a connection waits no longer than for the answer`() async throws {
        let (arrived, arrival) = AsyncStream.makeStream(of: Void.self)
        let peer = try LoopbackPeer { _ in
            arrival.yield()
            return .silence
        }
        defer { peer.stop() }
        var limits = ExchangeLimits()
        limits.connections = 1
        let transport = try transport(limits)
        let first = Task { try await send(to: peer, by: transport) }
        for await _ in arrived { break }
        await #expect(throws: TransportError.timedOut) {
            try await transport.send(
                WireRequest(method: "GET", path: "/"), to: BaseURL("http://127.0.0.1:\(peer.port)"),
                within: .milliseconds(100))
        }
        first.cancel()
        await #expect(throws: TransportError.cancelled) { try await first.value }
        #expect(peer.requests.count == 1)
    }

    @Test func `a connection with an answer under way serves nobody else`() async throws {
        let (arrived, arrival) = AsyncStream.makeStream(of: Void.self)
        let peer = try LoopbackPeer { request in
            guard request.contains("/slow") else { return .text(Self.ok) }
            arrival.yield()
            return .silence
        }
        defer { peer.stop() }
        let transport = try transport()
        _ = try await send(to: peer, by: transport)
        let slow = Task { try await send("POST", "/slow", to: peer, by: transport) }
        for await _ in arrived { break }
        slow.cancel()
        await #expect(throws: TransportError.cancelled) { try await slow.value }
        #expect(try await send(to: peer, by: transport).status == 200)
        #expect(peer.connections == 2)
    }

    @Test func `connections of one server carry nothing for another`() async throws {
        let one = try peer { _ in false }
        let other = try peer { _ in false }
        defer {
            one.stop()
            other.stop()
        }
        let transport = try transport()
        for peer in [one, other, one, other] { _ = try await send(to: peer, by: transport) }
        #expect(one.requests.count == 2 && other.requests.count == 2 && one.connections == 1 && other.connections == 1)
    }
}
#endif
