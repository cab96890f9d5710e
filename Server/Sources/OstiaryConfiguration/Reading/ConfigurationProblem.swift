/// Why a configuration is refused: one line that names the place, the key and what it needs.
///
/// It never holds a value, only names, so that it can be printed whatever the value is. The program exits 78
/// (`EX_CONFIG`).
package struct ConfigurationProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where the value came from, or nil where there is none.
    package var place: Place?
    /// The path of the key, for example `apps.vici.base_path`; empty for a problem of the whole file.
    package var key: String
    /// What it needs, as the rest of a sentence.
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
