import Foundation
package import Logging
import OstiaryEngine

/// Writes each log record as one line to standard error. A record of a request has the ids of its trace and its span.
package struct LineLogHandler: LogHandler {
    package var metadata: Logger.Metadata = [:]
    /// The level of this copy, if it was set; else that of the options.
    package var logLevel: Logger.Level {
        get { ownLevel ?? options.level }
        set { ownLevel = newValue }
    }
    private let label: String
    private let options: LogOptions
    private var ownLevel: Logger.Level?
    private let output: @Sendable ([UInt8]) -> Void

    package init(label: String, options: LogOptions) {
        self.init(label: label, options: options) { LogOutput.writeToStandardError($0) }
    }

    /// - Parameter write: Receives one record at a time, including its line end.
    init(label: String, options: LogOptions, write: @escaping @Sendable ([UInt8]) -> Void) {
        self.label = label
        self.options = options
        output = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var all = event.metadata ?? [:]
        if !metadata.isEmpty { all.merge(metadata) { new, _ in new } }
        var fields = all.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value.description) }
        if let context = RequestTrace.current?.context {
            if all["trace_id"] == nil { fields.append(("trace_id", context.traceID)) }
            if all["span_id"] == nil { fields.append(("span_id", context.spanID)) }
        }
        let record = LogRecord(
            at: Date(), level: event.level.rawValue, logger: label, message: event.message.description,
            cause: event.error.map { "\($0)" }, fields: fields)
        // One write a record, so that records of several threads never interleave.
        output(record.line(in: options.format))
    }

    /// Writes a request as ``log(event:)`` would write its metadata.
    func write(_ request: AccessRecord) {
        guard logLevel <= .info else { return }
        output(request.logRecord(by: label).line(in: options.format))
    }
}
