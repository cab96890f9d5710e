/// The log's level and format.
package struct LogSettings: Hashable, Sendable {
    package var level = Level.info
    package var format = Format.automatic

    package enum Level: String, CaseIterable, Sendable {
        case trace, debug, info, notice, warning, error, critical
    }

    package enum Format: String, CaseIterable, Sendable {
        case json, text
        /// Text where standard error is a terminal, else JSON.
        case automatic = "auto"

        /// Returns `true` if the log consists of lines of text.
        package func isText(onTerminal: Bool) -> Bool {
            switch self {
            case .json: false
            case .text: true
            case .automatic: onTerminal
            }
        }
    }

    package init() {}

    init(_ section: Section) throws(ConfigurationProblem) {
        level = try section.choice("level") ?? level
        format = try section.choice("format") ?? format
        try section.finish()
    }
}
