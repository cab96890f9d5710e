import Foundation

#if canImport(os)
import os
#endif

extension ClientLog {
    /// The default log: the unified logging system on Apple's platforms, none elsewhere.
    public static let standard: ClientLog = {
        #if canImport(os)
        .system(subsystem: Bundle.main.bundleIdentifier ?? "ostiary")
        #else
        .silent
        #endif
    }()

    /// Returns a log that writes lines of the form `2027-01-15T08:00:00Z notice session: signed in by password` to
    /// standard error.
    ///
    /// - Parameter level: The minimum level of the lines that are written.
    public static func standardError(_ level: Level) -> ClientLog {
        ClientLog(from: level) { line in
            let text = "\(Date().formatted(.iso8601)) \(line.level.rawValue) \(line.category.rawValue): \(line.text)\n"
            // A closed standard error must not terminate the program that logs to it.
            try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
        }
    }

    #if canImport(os)
    /// Returns a log that writes to the unified logging system, with one category for each ``Category``.
    ///
    /// - Parameters:
    ///   - subsystem: The subsystem of the lines, usually the app's bundle identifier.
    ///   - level: The minimum level of the lines that are written. The system keeps debug lines briefly and drops them
    ///     unless they are being streamed.
    public static func system(subsystem: String, from level: Level = .debug) -> ClientLog {
        let loggers = Dictionary(
            uniqueKeysWithValues: Category.allCases.map {
                ($0, Logger(subsystem: subsystem, category: $0.rawValue))
            })
        return ClientLog(from: level) { line in
            // Public, because a line cannot contain private data.
            loggers[line.category]?.log(level: line.level.systemLevel, "\(line.text, privacy: .public)")
        }
    }
    #endif
}

#if canImport(os)
extension ClientLog.Level {
    fileprivate var systemLevel: OSLogType {
        switch self {
        case .trace, .debug: .debug
        case .info: .info
        case .notice: .default
        case .warning: .error
        case .error: .fault
        }
    }
}
#endif
