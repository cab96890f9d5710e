package import Foundation

/// The parts of a log record, in the order in which they are written.
package struct LogRecord: Sendable {
    /// In UTC with milliseconds, as ``LogTime`` writes it.
    package var time: String
    package var level: String
    package var logger: String
    package var message: String
    package var cause: String?
    package var fields: [(name: String, value: String)]

    private static let times = LogTime()

    package init(
        at date: Date, level: String, logger: String, message: String, cause: String? = nil,
        fields: [(name: String, value: String)]
    ) {
        time = Self.times.text(date)
        self.level = level
        self.logger = logger
        self.message = message
        self.cause = cause
        self.fields = fields
    }

    /// Returns the record as one line, including its end.
    package func line(in format: LogFormat) -> [UInt8] {
        var line =
            switch format {
            case .json: json
            case .logfmt: logfmt
            case .console(let isColored): console(isColored: isColored)
            }
        line.append(0x0A)
        return line
    }

    /// The name of a field, unless it is one of the record's own: parsers disagree on which value of a repeated name holds.
    func written(_ name: String) -> String {
        let isOwn =
            switch name.utf8.count {
            case 4: name == "time"
            case 5: name == "level" || cause != nil && name == "cause"
            case 6: name == "logger"
            case 7: name == "message"
            default: false
            }
        return isOwn ? "metadata.\(name)" : name
    }
}
