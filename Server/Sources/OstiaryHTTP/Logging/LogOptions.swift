package import Logging
import Synchronization

/// The level and the format of a log, which can be changed while it is written.
package final class LogOptions: Sendable {
    private static let levels = Logger.Level.allCases
    /// Read for every record, also for those below the level.
    private let levelIndex: Atomic<Int>
    private let lineFormat: Mutex<LogFormat>

    package init(level: Logger.Level, format: LogFormat) {
        levelIndex = Atomic(Self.index(of: level))
        lineFormat = Mutex(format)
    }

    package var level: Logger.Level { Self.levels[levelIndex.load(ordering: .relaxed)] }
    package var format: LogFormat { lineFormat.withLock { $0 } }

    package func set(level: Logger.Level, format: LogFormat) {
        levelIndex.store(Self.index(of: level), ordering: .relaxed)
        lineFormat.withLock { $0 = format }
    }

    private static func index(of level: Logger.Level) -> Int { levels.firstIndex(of: level) ?? 0 }
}
