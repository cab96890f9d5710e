/// The content security policy of a page: only this server's style, pictures and script, and forms that post to it.
///
/// Source: CSP Level 3.
struct PagePolicy {
    var hasScript = true
    var hasForms = true
    /// `true` if the page's script sends requests to this server.
    var hasRequests = false
    /// Further targets of the redirect after a form: browsers follow it only to targets that the policy allows.
    var leadingTo: [String] = []

    var text: String {
        var parts = ["default-src 'none'", "style-src 'self'", "img-src 'self'"]
        if hasScript { parts.append("script-src 'self'") }
        if hasRequests { parts.append("connect-src 'self'") }
        let sources = hasForms ? ["'self'"] + leadingTo.compactMap(Self.source) : ["'none'"]
        parts.append("form-action \(sources.joined(separator: " "))")
        return (parts + ["frame-ancestors 'none'", "base-uri 'none'"]).joined(separator: "; ")
    }

    /// Returns the origin or the scheme of a URI as a source expression; nil for a URI that could express something
    /// else.
    static func source(_ uri: String) -> String? {
        guard let scheme = URIScheme(of: uri) else { return nil }
        guard scheme.isWeb else { return "\(scheme.text):" }
        let rest = uri.utf8.dropFirst(scheme.text.utf8.count)
        guard rest.starts(with: "://".utf8) else { return nil }
        let authority = Array(rest.dropFirst(3).prefix { !"/?#".utf8.contains($0) })
        guard let host = host(authority) else { return nil }
        // A native app listens for its answer at a registered loopback address and any port. Source: RFC 8252 §7.3.
        if scheme.text == "http", host == "127.0.0.1" { return "http://127.0.0.1:*" }
        return "\(scheme.text)://\(host)"
    }

    /// - Returns: Nil for an authority with a user, a wildcard, an invalid port or any other unknown character.
    private static func host(_ authority: [UInt8]) -> String? {
        var name = authority[...]
        var port = authority[authority.endIndex...]
        if authority.first == UInt8(ascii: "["), let end = authority.firstIndex(of: UInt8(ascii: "]")) {
            (name, port) = (authority[...end], authority[(end + 1)...])
        } else if let colon = authority.firstIndex(of: UInt8(ascii: ":")) {
            (name, port) = (authority[..<colon], authority[colon...])
        }
        let isPort =
            port.isEmpty
            || port.first == UInt8(ascii: ":") && (2...6).contains(port.count)
                && port.dropFirst().allSatisfy(ASCII.isDigit)
        guard isPort, !name.isEmpty, name.count <= 253 else { return nil }
        let digits = String(decoding: port, as: UTF8.self)
        if name.first == UInt8(ascii: "[") {
            // A policy cannot name an IPv6 address: only its port can be given.
            return name.count > 3 && !digits.isEmpty ? "*\(digits)" : nil
        }
        let isHost = name.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "-.".utf8.contains($0) }
        return isHost ? String(decoding: name, as: UTF8.self) + digits : nil
    }
}

/// The scheme of a URI. Source: RFC 3986 §3.1.
struct URIScheme {
    /// In lower case.
    let text: String

    var isWeb: Bool { text == "http" || text == "https" }

    /// - Returns: Nil if there is none, or one that makes a browser execute or render content rather than navigate.
    init?(of uri: String) {
        let name = uri.utf8.prefix { $0 != UInt8(ascii: ":") }
        guard name.count < uri.utf8.count, name.count <= 64, let first = name.first, ASCII.isLetter(first),
            name.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0) })
        else { return nil }
        text = String(decoding: Array(name), as: UTF8.self).lowercased()
        if Self.dangerous.contains(text) { return nil }
    }

    private static let dangerous: Set<String> = [
        "about", "blob", "data", "file", "filesystem", "javascript", "vbscript", "view-source",
    ]
}
