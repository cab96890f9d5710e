import OstiaryHTTP
import Testing

/// Deadlines over real sockets, shortened.
@Suite(.timeLimit(.minutes(5)))
struct SlowClientTests {
    /// Shortens the one deadline that a test is about, so that a busy machine does not exceed another one.
    private func shortening(_ deadline: WritableKeyPath<ConnectionLimits, Duration>) -> ConnectionLimits {
        var limits = ConnectionLimits()
        limits[keyPath: deadline] = .seconds(1)
        return limits
    }

    @Test func `closes on a client that sends half a header`() async throws {
        try await TestServer.run(limits: shortening(\.headerDeadline)) { server in
            let answer = try await RawConnection.exchange(port: server.port, "GET /healthz HTT")
            #expect(statuses(answer) == [408])
        }
    }

    @Test func `closes on a client that sends half a body, which no route sees`() async throws {
        try await TestServer.run(limits: shortening(\.bodyDeadline)) { server in
            let answer = try await RawConnection.exchange(
                port: server.port, "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf")
            #expect(statuses(answer) == [408])
            #expect(server.record.seen.isEmpty)
        }
    }

    @Test func `closes on a client that stays idle`() async throws {
        try await TestServer.run(limits: shortening(\.idleDeadline)) { server in
            let answer = try await RawConnection.exchange(
                port: server.port, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(statuses(answer) == [200])
            #expect(server.metrics.counts.timedOut == [.idle: 1])
        }
    }

    @Test func `closes on a client that reads nothing`() async throws {
        try await TestServer.run(limits: shortening(\.writeDeadline)) { server in
            try await RawConnection.open(port: server.port) { connection in
                try await connection.send("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n")
                var failures = server.record.failures.makeAsyncIterator()
                #expect(await failures.next() == "write")
                #expect(server.metrics.counts.timedOut == [.write: 1])
            }
        }
    }

    @Test func `closes on a client that keeps its half of a finished connection open`() async throws {
        try await TestServer.run(limits: shortening(\.lingerDeadline)) { server in
            try await RawConnection.open(port: server.port) { connection in
                try await connection.send("GET / HTTP/9.9\r\n\r\n")
                #expect(statuses(await connection.remainder()) == [400])
                try await server.until { $0.open == 0 }
            }
        }
    }

    @Test func `refuses a body that ends early, which no route sees`() async throws {
        try await TestServer.run { server in
            let answer = try await RawConnection.exchange(
                port: server.port, "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf", thenEnd: true)
            #expect(statuses(answer) == [400])
            #expect(server.record.seen.isEmpty)
        }
    }

    @Test func `answers a client that closed its sending half after a whole request`() async throws {
        try await TestServer.run { server in
            let answer = try await RawConnection.exchange(
                port: server.port, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", thenEnd: true)
            #expect(statuses(answer) == [200])
        }
    }

    @Test func `lets go of a thousand clients that vanish in the middle of a request`() async throws {
        try await TestServer.run(proxies: TestServer.loopback) { server in
            for _ in 0..<1_000 {
                try await RawConnection.open(port: server.port) { connection in
                    try await connection.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf")
                }
            }
            try await server.until { $0.open == 0 && $0.accepted >= 1_000 }
            #expect(!server.record.seen.contains("POST /echo"))
        }
    }
}
