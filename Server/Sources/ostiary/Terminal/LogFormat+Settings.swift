import Foundation
import OstiaryConfiguration
import OstiaryHTTP

extension LogFormat {
    /// The format of a stream by the configuration.
    ///
    /// - Parameter onTerminal: `true` if the stream is a terminal, which colours are written to.
    init(_ format: LogSettings.Format, onTerminal: Bool) {
        self =
            switch format.effective(onTerminal: onTerminal) {
            case .json, .automatic: .json
            case .logfmt: .logfmt
            case .console:
                .console(isColored: onTerminal && Self.allowsColor(ProcessInfo.processInfo.environment))
            }
    }
}
