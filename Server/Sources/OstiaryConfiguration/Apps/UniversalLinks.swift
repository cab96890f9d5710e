/// The links on an app's host that open its apps for Apple's platforms. Source: Apple, Supporting associated domains.
package struct UniversalLinks: Hashable, Sendable {
    /// The apps: `TEAM.BUNDLE`.
    package var appleApps: [String]
    /// The patterns of the paths, in which `*` stands for any text and `?` for one character.
    package var paths: [String]

    private static let maximumPathBytes = 256

    /// Reads the section of an app; nil if it is absent.
    static func read(_ section: Section) throws(ConfigurationProblem) -> UniversalLinks? {
        let links = try section.section("universal_links")
        guard links.isPresent else { return nil }
        var apps: [String] = []
        for setting in try links.list("apple_apps") ?? [] { apps.append(try AppleApp.read(setting)) }
        guard !apps.isEmpty else { throw links.problem("apple_apps", "needs the apps that open the links") }
        var paths: [String] = []
        for setting in try links.list("paths") ?? [] {
            let path = try setting.string()
            guard path.hasPrefix("/"), path.utf8.count <= maximumPathBytes,
                path.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
            else { throw setting.problem("needs a path that begins with /, such as /vici/auth/*") }
            paths.append(path)
        }
        guard !paths.isEmpty else { throw links.problem("paths", "needs the paths of the links, such as /vici/auth/*") }
        try links.finish()
        return UniversalLinks(appleApps: apps, paths: paths)
    }

    func show(in outline: inout Outline) {
        outline.add("apple_apps", appleApps)
        outline.add("paths", paths)
    }
}

/// The identifier of an app for Apple's platforms: `TEAM.BUNDLE`.
enum AppleApp {
    static func read(_ setting: Setting) throws(ConfigurationProblem) -> String {
        let text = try setting.string()
        guard isIdentifier(text) else {
            throw setting.problem("needs the team's ten characters, a dot and the bundle identifier")
        }
        return text
    }

    static func isIdentifier(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0].count == 10
            && parts[0].allSatisfy { $0.isDigit || (0x41...0x5A).contains($0) } && (1...155).contains(parts[1].count)
            && parts[1].allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    }
}
