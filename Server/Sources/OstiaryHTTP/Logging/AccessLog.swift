import Logging

/// Writes one record for each request, at the level `info`.
struct AccessLog: Sendable {
    private let log: Logger
    /// The handler of the server's own log: it writes a record as it is, at half the cost of an event with metadata.
    private let lines: LineLogHandler?

    init(_ log: Logger) {
        self.log = log
        lines = (log.handler as? LineLogHandler).flatMap { $0.metadata.isEmpty ? $0 : nil }
    }

    func write(_ record: AccessRecord) {
        if let lines { return lines.write(record) }
        log.info("request", metadata: record.metadata)
    }
}
