import OstiaryEngine

/// An absolute `http` or `https` URL without user, query or fragment, kept byte for byte.
struct WebURL {
    let text: String
    let isSecure: Bool
    let host: String
    let path: String

    /// - Parameter allowingPlain: `true` if `http` is allowed to hosts other than loopback.
    init(_ setting: Setting, allowingPlain: Bool) throws(ConfigurationProblem) {
        let text = try setting.string()
        guard let parts = URLParts(text), ["http", "https"].contains(parts.scheme) else {
            throw setting.problem("needs a URL that begins with https://")
        }
        guard parts.userinfo == nil, !text.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") })
        else { throw setting.problem("needs a URL without user, query and fragment") }
        guard parts.scheme == "https" || allowingPlain || IPAddress.isLoopback(host: parts.host) else {
            throw setting.problem("needs https (plain http is for loopback addresses)")
        }
        self.text = text
        isSecure = parts.scheme == "https"
        host = parts.host
        path = parts.rest
    }
}

/// The parts of `scheme://user:password@host:port/rest`, without any decoding.
struct URLParts {
    var scheme: String
    var userinfo: String?
    /// The host without brackets.
    var host: String
    var port: Int?
    /// Everything from the first `/`, `?` or `#` on.
    var rest: String

    init?(_ text: String) {
        // Only the characters that RFC 3986 allows in a URL, so that every parser splits it at the same places.
        let symbols = Set("-._~:/?#[]@!$&'()*+,;=%".utf8)
        guard text.utf8.allSatisfy({ $0.isLetter || $0.isDigit || symbols.contains($0) }),
            let separator = text.firstRange(of: "://")
        else { return nil }
        scheme = text[..<separator.lowerBound].lowercased()
        let afterScheme = text[separator.upperBound...]
        let end = afterScheme.firstIndex { "/?#".contains($0) } ?? afterScheme.endIndex
        rest = String(afterScheme[end...])
        var authority = afterScheme[..<end]
        if let at = authority.lastIndex(of: "@") {
            userinfo = String(authority[..<at])
            authority = authority[at...].dropFirst()
        }
        guard let (host, port) = Self.hostAndPort(authority) else { return nil }
        self.host = host
        self.port = port
    }

    static func hostAndPort(_ text: Substring) -> (host: String, port: Int?)? {
        guard let authority = URLAuthority(text) else { return nil }
        guard !authority.isBracketed else { return (authority.host, authority.port) }
        return HostName(authority.host).map { ($0.text, authority.port) }
    }
}
