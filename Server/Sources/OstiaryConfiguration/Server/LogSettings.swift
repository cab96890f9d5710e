/// The log's level and format.
package struct LogSettings: Hashable, Sendable {
    package var level = Level.info
    package var format = Format.json

    package enum Level: String, CaseIterable, Sendable {
        case trace, debug, info, notice, warning, error, critical
    }

    package enum Format: String, CaseIterable, Sendable { case json, text }

    package init() {}

    init(_ section: Section) throws(ConfigurationProblem) {
        level = try section.choice("level") ?? level
        format = try section.choice("format") ?? format
        try section.finish()
    }
}
