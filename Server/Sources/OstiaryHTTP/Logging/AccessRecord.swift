package import Foundation
import Logging
import OstiaryEngine

/// One request, as the log and the readers of the log see it.
package struct AccessRecord: Codable, Hashable, Sendable {
    package var at: Date
    package var id: String
    package var app: String
    package var operation: String
    package var status: Int
    package var milliseconds: Double
    package var address: String
    package var traceID: String
    package var spanID: String

    init(
        id: String, app: String, operation: String, status: Int, duration: Duration, address: IPAddress,
        context: TraceContext
    ) {
        at = Date()
        self.id = id
        self.app = app
        self.operation = operation
        self.status = status
        self.address = address.description
        milliseconds = Self.milliseconds(duration)
        traceID = context.traceID
        spanID = context.spanID
    }

    var duration: Duration { .microseconds(Int64(milliseconds * 1000)) }

    /// Rounded to hundredths.
    static func milliseconds(_ duration: Duration) -> Double { (duration.seconds * 100_000).rounded() / 100 }

    /// The fields of the log, in their order. Those of the trace follow them.
    private var fields: [(name: String, value: String)] {
        [
            ("address", address), ("app", app), ("id", id), ("ms", milliseconds.description), ("operation", operation),
            ("status", String(status)),
        ]
    }

    /// The fields of the log. The log adds those of the trace.
    var metadata: Logger.Metadata { fields.reduce(into: [:]) { $0[$1.name] = .string($1.value) } }

    /// Returns the record of the log for this request.
    package func logRecord(by logger: String = "ostiary") -> LogRecord {
        LogRecord(
            at: at, level: "info", logger: logger, message: "request",
            fields: fields + [("trace_id", traceID), ("span_id", spanID)])
    }

    /// Describes the request's span, by the semantic conventions of OpenTelemetry for HTTP servers.
    func describe(_ span: any RecordedSpan, method: String) {
        span.rename("\(app) \(operation)")
        span.set(.init("http.request.method", .text(method)))
        span.set(.init("http.response.status_code", .integer(status)))
        span.set(.init("ostiary.app", .text(app)))
        span.set(.init("ostiary.operation", .text(operation)))
        if status >= 500 { span.fail() }
    }
}
