import Foundation
import OstiaryHTTP
import Testing

/// Serialized: each test occupies one of the few threads that the server's tasks use too.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ConnectionCapacityTests {
    @Test func `holds five hundred of two thousand idle connections and recovers`() async throws {
        try #require(OpenFileLimit.raise() > 4_000)
        var limits = ConnectionLimits()
        limits.connections = 500
        // Independent of how long two thousand connections take on a busy machine: the test is about their number.
        limits.headerDeadline = .seconds(600)
        // All connections come from one address, whose share this test is not about.
        try await TestServer.run(limits: limits, proxies: TestServer.loopback) { server in
            var sockets = try (0..<2_000).map { _ in try connect(to: server.port) }
            // The refused connections are those that the server closes.
            var open = sockets
            while open.count > 500 {
                open = open.filter { !isClosedByPeer($0) }
                await Task.yield()
            }
            #expect(open.count == 500)
            #expect(server.metrics.counts.open == 500)
            #expect(server.metrics.counts.overCapacity == 1_500)
            for socket in sockets { close(socket) }
            sockets = []
            try await server.until { $0.open == 0 }
            let answer = try await RawConnection.exchange(
                port: server.port, "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(statuses(answer) == [200])
        }
    }

    @Test func `PT-04: closes connections beyond the share of a network, and counts them`() async throws {
        var limits = ConnectionLimits()
        limits.connections = 320
        limits.headerDeadline = .seconds(600)
        try await TestServer.run(limits: limits) { server in
            let sockets = try (0..<50).map { _ in try connect(to: server.port) }
            var open = sockets
            while open.count > 20 {
                open = open.filter { !isClosedByPeer($0) }
                await Task.yield()
            }
            #expect(open.count == 20)
            #expect(server.metrics.counts.overNetworkShare == 30)
            #expect(server.metrics.counts.overCapacity == 0)
            for socket in sockets { close(socket) }
            try await server.until { $0.open == 0 }
        }
    }

    @Test(arguments: [(64, 48), (1_024, 768), (20_000, 10_000), (2, 2)])
    func `fits into the files a process may open`(files: Int, connections: Int) {
        var limits = ConnectionLimits()
        limits.fit(openFiles: files)
        #expect(limits.connections == connections)
    }

    private struct NotConnected: Error {}

    private func connect(to port: Int) throws -> Int32 {
        #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { throw NotConnected() }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw NotConnected() }
        return descriptor
    }

    private func isClosedByPeer(_ descriptor: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 0) > 0
    }
}
