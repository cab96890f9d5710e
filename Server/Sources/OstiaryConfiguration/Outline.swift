import OstiaryCore

/// A builder of a YAML mapping. Nil values, and mappings without keys, are omitted.
package struct Outline {
    /// The text in place of a secret.
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

    /// Adds a list of mappings.
    mutating func add<Element>(_ key: String, _ elements: [Element], _ fill: (Element, inout Outline) -> Void) {
        lines.append("\(Self.scalar(key)):")
        for element in elements {
            var inner = Outline()
            fill(element, &inner)
            lines += inner.lines.enumerated().map { index, line in (index == 0 ? "  - " : "    ") + line }
        }
    }

    /// Returns a URL with its user and password masked, and with everything after the host masked unless that is known
    /// not to be secret.
    static func masked(_ url: Secret<String>, keepingPath: Bool) -> String {
        guard let parts = URLParts(url.reveal()) else { return mask }
        let user = parts.userinfo == nil ? "" : "\(mask)@"
        let host = parts.host.contains(":") ? "[\(parts.host)]" : parts.host
        let port = parts.port.map { ":\($0)" } ?? ""
        let rest = keepingPath || ["", "/"].contains(parts.rest) ? parts.rest : "/\(mask)"
        return "\(parts.scheme)://\(user)\(host)\(port)\(rest)"
    }

    /// Returns a plain scalar where every YAML parser reads it as this text, else a double-quoted one.
    package static func scalar(_ text: String) -> String {
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
        // Text that looks like an environment variable must be read as text again.
        return "\"\(escaped.joined().replacing("${", with: "$${"))\""
    }
}
