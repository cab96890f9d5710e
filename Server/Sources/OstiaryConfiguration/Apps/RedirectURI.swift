import OstiaryEngine

/// A registered redirect URI. Requests are compared with it byte for byte, without parsing.
enum RedirectURI {
    private static let dangerous: Set<String> = [
        "javascript", "data", "file", "vbscript", "about", "blob", "ws", "wss", "ftp", "mailto", "tel", "sms",
    ]

    /// Checks a redirect URI.
    ///
    /// Source: RFC 6749 §3.1.2 (absolute, no fragment), RFC 8252 §7 (custom schemes and loopback), RFC 9700 §2.1 (exact
    /// match, so no wildcards).
    static func check(_ setting: Setting) throws(ConfigurationProblem) -> String {
        let text = try setting.string()
        let symbols = Set("-._~:/?[]@!$&'()+,;=%".utf8)
        guard !text.contains("*") else { throw setting.problem("needs exact redirect URIs, without wildcards") }
        guard !text.contains("#") else { throw setting.problem("needs redirect URIs without a fragment") }
        guard let colon = text.firstIndex(of: ":"), isScheme(text[..<colon]),
            text.utf8.allSatisfy({ $0.isLetter || $0.isDigit || symbols.contains($0) })
        else { throw setting.problem("needs absolute redirect URIs, for example app://oauth/callback") }

        let scheme = text[..<colon].lowercased()
        let rest = text[colon...].dropFirst()
        guard !dangerous.contains(scheme) else {
            throw setting.problem("needs redirect URIs with https, a loopback address or a scheme of the app")
        }
        guard ["http", "https"].contains(scheme) else {
            guard rest.hasPrefix("/"), rest.contains(where: { $0 != "/" }) else {
                throw setting.problem("needs redirect URIs with a path, for example app://oauth/callback")
            }
            return text
        }
        guard let parts = URLParts(text), parts.userinfo == nil else {
            throw setting.problem("needs redirect URIs with a host, and without a user")
        }
        guard scheme == "https" || IPAddress.isLoopback(host: parts.host) else {
            throw setting.problem("needs https redirect URIs (plain http is for loopback addresses)")
        }
        return text
    }

    /// Returns a target of further redirects: an origin, or a scheme. Source: CSP Level 3 §2.3.1.
    ///
    /// - Returns: A scheme includes its colon.
    static func destination(_ setting: Setting) throws(ConfigurationProblem) -> String {
        let text = try setting.string()
        let scheme = text.hasSuffix(":") ? text.dropLast() : text[...]
        if isScheme(scheme), !["http", "https"].contains(scheme.lowercased()) {
            guard !dangerous.contains(scheme.lowercased()) else {
                throw setting.problem("needs origins, or schemes of apps")
            }
            return scheme.lowercased() + ":"
        }
        guard let parts = URLParts(text), parts.userinfo == nil, parts.rest.isEmpty,
            parts.scheme == "https" || parts.scheme == "http" && IPAddress.isLoopback(host: parts.host)
        else { throw setting.problem("needs origins such as https://app.example.com, or schemes such as app:") }
        return text
    }

    private static func isScheme(_ text: Substring) -> Bool {
        text.utf8.first?.isLetter == true
            && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
    }
}
