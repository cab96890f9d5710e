import OstiaryServerPaths

/// An app's path prefix on its hosts: `/segment[/segment]`, or empty for the root.
package struct BasePath: Hashable, Sendable, CustomStringConvertible {
    /// Empty, or with a slash before every segment and none after the last.
    package let text: String

    package static let root = BasePath(text: "")

    /// The first segments that the server's own endpoints use.
    private static let taken = Set(ServerPath.allCases.map(\.firstSegment))

    private init(text: String) { self.text = text }

    /// Creates a path from the app's name.
    init(app: String, of section: Section) throws(ConfigurationProblem) {
        guard !Self.taken.contains(app[...]) else {
            throw section.problem("base_path", "needs a path: the server itself answers the app's name")
        }
        text = "/\(app)"
    }

    init(_ setting: Setting) throws(ConfigurationProblem) {
        let text = try setting.string()
        guard text != "/" else {
            self = .root
            return
        }
        let segments = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard text.hasPrefix("/"), text.utf8.count <= 256,
            segments.allSatisfy({ segment in
                !segment.isEmpty && segment.first != "."
                    && segment.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_.".utf8.contains($0) }
            })
        else { throw setting.problem("needs /segment or /segment/segment of letters, digits, -, _ and .") }
        guard let first = segments.first, !Self.taken.contains(first) else {
            throw setting.problem("needs another path: the server itself answers this one")
        }
        self.text = text
    }

    package var description: String { text.isEmpty ? "/" : text }
}
