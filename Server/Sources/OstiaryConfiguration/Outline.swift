import OstiaryCore

/// A YAML mapping in the making. What is nil, and a mapping without keys, is left out.
struct Outline {
    /// What stands for a secret.
    static let mask = "***"

    private var lines: [String] = []

    var text: String { lines.map { "\($0)\n" }.joined() }

    mutating func add(_ key: String, _ value: String?) {
        guard let value else { return }
        lines.append("\(Self.scalar(key)): \(Self.scalar(value))")
    }

    mutating func add(_ key: String, _ value: Int?) {
        guard let value else { return }
        lines.append("\(Self.scalar(key)): \(value)")
    }

    mutating func add(_ key: String, _ value: Bool) { lines.append("\(Self.scalar(key)): \(value)") }

    mutating func add(_ key: String, _ values: [String]) {
        lines.append("\(Self.scalar(key)): [\(values.map(Self.scalar).joined(separator: ", "))]")
    }

    mutating func add(_ key: String, _ fill: (inout Outline) -> Void) {
        var inner = Outline()
        fill(&inner)
        guard !inner.lines.isEmpty else { return }
        lines.append("\(Self.scalar(key)):")
        lines += inner.lines.map { "  \($0)" }
    }

    /// A list of mappings.
    mutating func add<Element>(_ key: String, _ elements: [Element], _ fill: (Element, inout Outline) -> Void) {
        lines.append("\(Self.scalar(key)):")
        for element in elements {
            var inner = Outline()
            fill(element, &inner)
            lines += inner.lines.enumerated().map { index, line in (index == 0 ? "  - " : "    ") + line }
        }
    }

    /// A URL without its user and password, and without what follows the host unless that is known to be no secret.
    static func masked(_ url: Secret<String>, keepingPath: Bool) -> String {
        guard let parts = URLParts(url.reveal()) else { return mask }
        let user = parts.userinfo == nil ? "" : "\(mask)@"
        let host = parts.host.contains(":") ? "[\(parts.host)]" : parts.host
        let port = parts.port.map { ":\($0)" } ?? ""
        let rest = keepingPath || ["", "/"].contains(parts.rest) ? parts.rest : "/\(mask)"
        return "\(parts.scheme)://\(user)\(host)\(port)\(rest)"
    }

    /// Plain where no reader could take it for something else, else in double quotes.
    private static func scalar(_ text: String) -> String {
        let isPlain =
            text.utf8.first?.isLetter == true
            && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(
                text.lowercased())
            && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "_-./".utf8.contains($0) }
        guard !isPlain else { return text }
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            default: String(scalar)
            }
        }
        // What looks like a variable of the environment must be read as text again.
        return "\"\(escaped.joined().replacing("${", with: "$${"))\""
    }
}
