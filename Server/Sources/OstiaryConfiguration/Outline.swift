import OstiaryCore

/// A builder of a YAML mapping. Nil values, and mappings without keys, are omitted.
package struct Outline {
    /// The text in place of a secret.
    static let mask = "***"

    private var lines: [String] = []
    /// The values of every key, by its path with dots; those of a list of mappings together. Secrets are unmasked.
    private(set) var values: [String: Secret<String>] = [:]
    /// The masked values.
    private(set) var secrets: [Secret<String>] = []

    var text: String { lines.map { "\($0)\n" }.joined() }

    mutating func add(_ key: String, _ value: String?) {
        guard let value else { return }
        add(key, shown: Self.scalar(value), value: Secret(value))
    }

    mutating func add(_ key: String, _ value: Int?) {
        guard let value else { return }
        add(key, shown: "\(value)", value: Secret("\(value)"))
    }

    mutating func add(_ key: String, _ value: Bool) { add(key, shown: "\(value)", value: Secret("\(value)")) }

    mutating func add(_ key: String, _ values: [String]) {
        let text = "[\(values.map(Self.scalar).joined(separator: ", "))]"
        add(key, shown: text, value: Secret(text))
    }

    /// Adds a secret, which is masked.
    mutating func add(_ key: String, secret: Secret<String>?) {
        guard let secret else { return }
        add(key, shown: Self.scalar(Self.mask), value: secret)
        secrets.append(secret)
    }

    /// Adds a list of secrets, which are masked.
    mutating func add(_ key: String, secrets: [Secret<String>]) {
        let masks = secrets.map { _ in Self.scalar(Self.mask) }.joined(separator: ", ")
        add(key, shown: "[\(masks)]", value: Secret(secrets.map { $0.reveal() }.joined(separator: "\n")))
        self.secrets += secrets
    }

    /// Adds a URL as ``masked(_:keepingPath:)`` returns it.
    mutating func add(_ key: String, url: Secret<String>, keepingPath: Bool) {
        let shown = Self.masked(url, keepingPath: keepingPath)
        add(key, shown: Self.scalar(shown), value: url)
        if shown.contains(Self.mask) { secrets.append(url) }
    }

    /// Adds the path of a file whose content is a part of the value, too.
    mutating func add(_ key: String, path: String?) {
        guard let path else { return }
        add(key, path)
        if let version = FileVersion(path: path) { note(key, Secret("\(version)")) }
    }

    /// Adds a part of a value that is not shown.
    mutating func note(_ key: String, _ part: Secret<String>) {
        values[key] = Secret([values[key], part].compactMap { $0?.reveal() }.joined(separator: "\n"))
    }

    private mutating func add(_ key: String, shown: String, value: Secret<String>) {
        lines.append("\(Self.scalar(key)): \(shown)")
        note(key, value)
    }

    mutating func add(_ key: String, _ fill: (inout Outline) -> Void) {
        var inner = Outline()
        fill(&inner)
        guard !inner.lines.isEmpty else { return }
        lines.append("\(Self.scalar(key)):")
        lines += inner.lines.map { "  \($0)" }
        take(inner, at: key)
    }

    /// Adds a list of mappings.
    mutating func add<Element>(_ key: String, _ elements: [Element], _ fill: (Element, inout Outline) -> Void) {
        lines.append("\(Self.scalar(key)):")
        for element in elements {
            var inner = Outline()
            fill(element, &inner)
            lines += inner.lines.enumerated().map { index, line in (index == 0 ? "  - " : "    ") + line }
            take(inner, at: key)
        }
    }

    /// Takes over the values and secrets of a mapping.
    private mutating func take(_ inner: Outline, at key: String) {
        for (name, value) in inner.values { note("\(key).\(name)", value) }
        secrets += inner.secrets
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
