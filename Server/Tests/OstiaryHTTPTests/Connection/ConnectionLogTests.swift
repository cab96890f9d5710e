import Logging
import OstiaryHTTP
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ConnectionLogTests {
    /// Records every line, at every level.
    private final class Lines: Sendable {
        let all = Mutex<[(level: Logger.Level, text: String)]>([])
        func above(_ level: Logger.Level) -> Int { all.withLock { $0.count { $0.level > level } } }
    }

    private struct Handler: LogHandler {
        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.all.withLock { $0.append((event.level, "\(event.message) \(event.metadata ?? [:])")) }
        }
    }

    @Test func `writes nothing above debug, and no byte of a request, about a flood of bad requests`() async throws {
        let lines = Lines()
        let logger = Logger(label: "test") { _ in Handler(lines: lines) }
        try await TestServer.run(logger: logger) { server in
            let before = lines.above(.debug)
            for _ in 0..<200 {
                _ = try await RawConnection.exchange(port: server.port, "GET /hunter2 HTTP/1.1\r\nhunter2 : a\r\n\r\n")
                _ = try await RawConnection.exchange(port: server.port, [0x16, 0x03, 0x01, 0x00])
            }
            #expect(lines.above(.debug) == before)
            #expect(server.metrics.counts.refused == [.malformed: 400])
            #expect(lines.all.withLock { !$0.contains { $0.text.contains("hunter2") } })
        }
    }
}
