package import Logging
import Synchronization

/// The level and the format of a log, which can be changed while it is written.
package final class LogOptions: Sendable {
    private static let levels = Logger.Level.allCases
    private let levelIndex: Atomic<Int>
    private let isText: Atomic<Bool>

    package init(level: Logger.Level, format: LineLogHandler.Format) {
        levelIndex = Atomic(Self.index(of: level))
        isText = Atomic(format == .text)
    }

    package var level: Logger.Level { Self.levels[levelIndex.load(ordering: .relaxed)] }
    package var format: LineLogHandler.Format { isText.load(ordering: .relaxed) ? .text : .json }

    package func set(level: Logger.Level, format: LineLogHandler.Format) {
        levelIndex.store(Self.index(of: level), ordering: .relaxed)
        isText.store(format == .text, ordering: .relaxed)
    }

    private static func index(of level: Logger.Level) -> Int { levels.firstIndex(of: level) ?? 0 }
}
