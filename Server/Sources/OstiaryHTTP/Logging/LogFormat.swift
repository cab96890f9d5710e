/// The format of the lines of a log.
package enum LogFormat: Hashable, Sendable {
    /// One JSON object a line.
    case json
    /// `name=value` pairs.
    case logfmt
    /// Lines for people, with the escape sequences of a terminal's colours if it is one.
    case console(isColored: Bool)

    /// Returns `true` if colours may be written to a terminal. Source: https://no-color.org
    package static func allowsColor(_ environment: [String: String]) -> Bool {
        (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }
}
