import Foundation
package import Logging

/// Writes each log record as one line to standard error.
package struct LineLogHandler: LogHandler {
    package enum Format: Sendable { case json, text }

    package var metadata: Logger.Metadata = [:]
    package var logLevel: Logger.Level
    private static let time = LogTime()
    private let label: String
    private let format: Format
    private let write: @Sendable ([UInt8]) -> Void

    package init(label: String, level: Logger.Level, format: Format) {
        self.init(label: label, level: level, format: format) { LogOutput.writeToStandardError($0) }
    }

    /// - Parameter write: Receives one record at a time, including its line end.
    init(label: String, level: Logger.Level, format: Format, write: @escaping @Sendable ([UInt8]) -> Void) {
        self.label = label
        self.logLevel = level
        self.format = format
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var all = event.metadata ?? [:]
        if !metadata.isEmpty { all.merge(metadata) { new, _ in new } }
        let record = LogRecord(
            time: Self.time.text(Date()), level: event.level.rawValue, logger: label,
            message: event.message.description, cause: event.error.map { "\($0)" },
            fields: all.sorted { $0.key < $1.key }.map { ($0.key, $0.value.description) })
        var line =
            switch format {
            case .json: record.json
            case .text: record.text
            }
        line.append(0x0A)
        // One write a record, so that records of several threads never interleave.
        write(line)
    }
}

/// The parts of a log record, in the order in which they are written.
struct LogRecord {
    var time: String
    var level: String
    var logger: String
    var message: String
    var cause: String?
    var fields: [(name: String, value: String)]
}
