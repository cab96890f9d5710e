import Foundation
import Logging
import OstiaryConfiguration
import OstiaryHTTP

extension LogOptions {
    convenience init(_ settings: LogSettings) {
        self.init(level: Self.level(settings), format: Self.format(settings))
    }

    func set(_ settings: LogSettings) { set(level: Self.level(settings), format: Self.format(settings)) }

    private static func level(_ settings: LogSettings) -> Logger.Level {
        Logger.Level(rawValue: settings.level.rawValue) ?? .info
    }

    private static func format(_ settings: LogSettings) -> LogFormat {
        LogFormat(settings.format, onTerminal: isatty(STDERR_FILENO) == 1)
    }
}
