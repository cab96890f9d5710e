import OstiaryHTTP
import ServiceLifecycle
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ShutdownTests {
    @Test func `finishes the request at work and drops idle connections`() async throws {
        try await TestServer.run { server in
            try await RawConnection.open(port: server.port) { busy in
                try await RawConnection.open(port: server.port) { idle in
                    try await busy.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
                    var arrivals = server.record.arrivals.makeAsyncIterator()
                    await arrivals.next()
                    await server.group.triggerGracefulShutdown()
                    #expect(await idle.remainder() == "")
                    server.record.permit.yield()
                    // `remainder` returns when the connection is closed.
                    #expect(statuses(await busy.remainder()) == [200])
                }
            }
        }
    }

    /// Limits under which only the deadline of the shutdown can end a connection in time.
    private var limits: ConnectionLimits {
        var limits = ConnectionLimits()
        limits.shutdownDeadline = .seconds(1)
        for deadline in [\ConnectionLimits.headerDeadline, \.bodyDeadline, \.idleDeadline, \.writeDeadline] {
            limits[keyPath: deadline] = .seconds(3600)
        }
        return limits
    }

    /// A request that arrives together with the beginning of another one, which no route sees.
    private static let whole = "POST /ignore HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"

    @Test func `refuses a request that stays unfinished`() async throws {
        try await TestServer.run(limits: limits) { server in
            try await RawConnection.open(port: server.port) { connection in
                try await connection.send(
                    Self.whole + "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf")
                try await server.untilSeen("POST /ignore")
                await server.group.triggerGracefulShutdown()
                #expect(statuses(await connection.remainder()) == [200, 408])
            }
        }
    }

    @Test func `answers a request that is completed in time`() async throws {
        try await TestServer.run(limits: limits) { server in
            try await RawConnection.open(port: server.port) { connection in
                try await connection.send(
                    Self.whole + "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nha")
                try await server.untilSeen("POST /ignore")
                await server.group.triggerGracefulShutdown()
                try await connection.send("lf")
                #expect(statuses(await connection.remainder()) == [200, 200])
            }
        }
    }

    @Test func `drops a client that reads nothing`() async throws {
        try await TestServer.run(limits: limits) { server in
            try await RawConnection.open(port: server.port) { connection in
                try await connection.send("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n")
                try await server.untilSeen("GET /endless")
                await server.group.triggerGracefulShutdown()
                var failures = server.record.failures.makeAsyncIterator()
                #expect(await failures.next() == "write")
            }
        }
    }
}
