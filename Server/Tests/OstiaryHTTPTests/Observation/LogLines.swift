import Logging
import Synchronization

@testable import OstiaryHTTP

/// The lines of a JSON log.
final class LogLines: Sendable {
    private let written = Mutex<[[UInt8]]>([])

    private let level: Logger.Level

    init(level: Logger.Level = .trace) { self.level = level }

    var records: [[UInt8]] { written.withLock { $0 } }

    var logger: Logger {
        Logger(label: "ostiary") { [level] label in
            LineLogHandler(label: label, options: LogOptions(level: level, format: .json)) { record in
                self.written.withLock { $0.append(record) }
            }
        }
    }
}
