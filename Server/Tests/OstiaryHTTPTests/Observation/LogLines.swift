import Logging
import Synchronization

@testable import OstiaryHTTP

/// The lines of a JSON log.
final class LogLines: Sendable {
    private let written = Mutex<[[UInt8]]>([])

    var records: [[UInt8]] { written.withLock { $0 } }

    var logger: Logger {
        Logger(label: "ostiary") { label in
            LineLogHandler(label: label, options: LogOptions(level: .trace, format: .json)) { record in
                self.written.withLock { $0.append(record) }
            }
        }
    }
}
