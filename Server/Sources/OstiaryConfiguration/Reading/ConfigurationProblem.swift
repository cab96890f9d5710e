/// The reason that a configuration is refused: one line that names the place, the key and what it needs.
///
/// Contains only names, never a value, so that printing it reveals no secret. The program exits with status 78
/// (`EX_CONFIG`).
package struct ConfigurationProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The source of the value; nil where there is none.
    package var place: Place?
    /// The path of the key, for example `apps.vici.base_path`; empty for a problem of the whole file.
    package var key: String
    /// The requirement, as the rest of a sentence.
    package var need: String

    package enum Place: Hashable, Sendable {
        case file(String, line: Int?)
        /// An environment variable.
        case variable(String)
        /// An option of the command line, with its dashes.
        case option(String)
    }

    package init(place: Place?, key: String, need: String) {
        self.place = place
        self.key = key
        self.need = need
    }

    package var description: String {
        [place.map(\.description), key, need].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ": ")
    }
}

extension ConfigurationProblem.Place: CustomStringConvertible {
    package var description: String {
        switch self {
        case .file(let name, let line): line.map { "\(name):\($0)" } ?? name
        case .variable(let name), .option(let name): name
        }
    }
}
