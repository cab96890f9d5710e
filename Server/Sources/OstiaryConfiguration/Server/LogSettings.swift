/// The log's level and format, and the requests that it reports as slow.
package struct LogSettings: Hashable, Sendable {
    package var level = Level.info
    package var format = Format.automatic
    /// The duration from which a request is reported as slow; nil to report none.
    package var slowMilliseconds: Int? = 1000

    package enum Level: String, CaseIterable, Sendable {
        case trace, debug, info, notice, warning, error, critical
    }

    package enum Format: String, CaseIterable, Sendable {
        case json, logfmt, console
        /// `console` where standard error is a terminal, else `json`.
        case automatic = "auto"

        /// Returns the format of a stream; never ``automatic``.
        package func effective(onTerminal: Bool) -> Format {
            switch self {
            case .json, .logfmt, .console: self
            case .automatic: onTerminal ? .console : .json
            }
        }
    }

    package init() {}

    init(_ section: Section) throws(ConfigurationProblem) {
        level = try section.choice("level") ?? level
        format = try section.choice("format") ?? format
        if let slow = try section.integer("slow_milliseconds", in: 0...3_600_000) {
            slowMilliseconds = slow == 0 ? nil : slow
        }
        try section.finish()
    }
}
