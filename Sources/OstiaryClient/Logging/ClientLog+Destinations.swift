import Foundation

#if canImport(os)
import os
#endif

extension ClientLog {
    /// What a client uses that is told nothing else: the system's log on Apple's platforms, elsewhere nothing.
    public static let standard: ClientLog = {
        #if canImport(os)
        .system(subsystem: Bundle.main.bundleIdentifier ?? "ostiary")
        #else
        .silent
        #endif
    }()

    /// Lines of the form `2027-01-15T08:00:00Z notice session: signed in by password`, to standard error.
    ///
    /// - Parameter level: What is less is left out.
    public static func standardError(_ level: Level) -> ClientLog {
        ClientLog(from: level) { line in
            let text = "\(Date().formatted(.iso8601)) \(line.level.rawValue) \(line.category.rawValue): \(line.text)\n"
            // A closed standard error must not end the program that logs to it.
            try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
        }
    }

    #if canImport(os)
    /// The system's log, with a category for each of ours.
    ///
    /// - Parameter level: The system keeps debug lines for a moment and drops them unless somebody looks.
    public static func system(subsystem: String, from level: Level = .debug) -> ClientLog {
        let loggers = Dictionary(
            uniqueKeysWithValues: Category.allCases.map {
                ($0, Logger(subsystem: subsystem, category: $0.rawValue))
            })
        return ClientLog(from: level) { line in
            // Public, because nothing private can be in it.
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
