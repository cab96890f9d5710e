import OstiaryHTTP
import OstiaryServerTestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ConnectionLogTests {
    @Test func `writes nothing above debug, and no byte of a request, about a flood of bad requests`() async throws {
        let log = CapturedLog()
        func recordsAboveDebug() -> Int {
            log.records.count { !$0.hasPrefix("debug ") && !$0.hasPrefix("trace ") }
        }
        try await TestServer.run(logger: log.logger) { server in
            let before = recordsAboveDebug()
            for _ in 0..<200 {
                _ = try await RawConnection.exchange(port: server.port, "GET /hunter2 HTTP/1.1\r\nhunter2 : a\r\n\r\n")
                _ = try await RawConnection.exchange(port: server.port, [0x16, 0x03, 0x01, 0x00])
            }
            #expect(recordsAboveDebug() == before)
            #expect(server.metrics.counts.refused == [.malformed: 400])
            #expect(!log.text.contains("hunter2"))
        }
    }
}
