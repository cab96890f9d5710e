import Foundation
package import Logging

/// Writes each log record as one line to standard error.
package struct LineLogHandler: LogHandler {
    package enum Format: Sendable { case json, text }

    package var metadata: Logger.Metadata = [:]
    /// The level of this copy, if it was set; else that of the options.
    package var logLevel: Logger.Level {
        get { ownLevel ?? options.level }
        set { ownLevel = newValue }
    }
    private static let time = LogTime()
    private let label: String
    private let options: LogOptions
    private var ownLevel: Logger.Level?
    private let write: @Sendable ([UInt8]) -> Void

    package init(label: String, options: LogOptions) {
        self.init(label: label, options: options) { LogOutput.writeToStandardError($0) }
    }

    /// - Parameter write: Receives one record at a time, including its line end.
    init(label: String, options: LogOptions, write: @escaping @Sendable ([UInt8]) -> Void) {
        self.label = label
        self.options = options
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
            switch options.format {
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
