/// What is logged and how it looks.
public struct LogSettings: Hashable, Sendable {
    public var level = Level.info
    public var format = Format.json

    public enum Level: String, CaseIterable, Sendable {
        case trace, debug, info, notice, warning, error, critical
    }

    public enum Format: String, CaseIterable, Sendable { case json, text }

    public init() {}

    init(_ section: Section) throws(ConfigurationProblem) {
        level = try section.choice("level") ?? level
        format = try section.choice("format") ?? format
        try section.finish()
    }
}
