package import Logging
import Synchronization

/// Records every log record of every level, as text.
package final class CapturedLog: Sendable {
    private let lines = Mutex<[String]>([])

    package init() {}

    package var records: [String] { lines.withLock { $0 } }
    package var text: String { records.joined(separator: "\n") }

    package var logger: Logger {
        var logger = Logger(label: "test") { _ in Handler(log: self) }
        logger.logLevel = .trace
        return logger
    }

    private func append(_ line: String) { lines.withLock { $0.append(line) } }

    private struct Handler: LogHandler {
        let log: CapturedLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
            let fields = all.map { "\($0)=\($1)" }.sorted().joined(separator: " ")
            let error = event.error.map { " \($0)" } ?? ""
            log.append("\(event.level) \(event.message) \(fields)\(error)")
        }
    }
}
