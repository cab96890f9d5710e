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
}
