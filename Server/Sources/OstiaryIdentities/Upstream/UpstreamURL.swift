import OstiaryEngine

/// An absolute http or https URL without user and fragment, parsed without any decoding.
///
/// Narrower than RFC 3986 on purpose, so that every parser of the same text finds the same host in it.
struct UpstreamURL: Hashable, Sendable {
    let text: String
    let isSecure: Bool
    /// In lower case, without brackets.
    let host: String
    /// The port; the scheme's default if the URL names none.
    let port: Int
    /// Scheme, host and port, without the port if it is the scheme's default.
    let origin: String
    let hasQuery: Bool

    init?(_ text: String) {
        let symbols = Set("-._~:/?[]@!$&'()*+,;=%".utf8)
        guard text.utf8.count <= 2048, text.utf8.allSatisfy({ $0.isAlphanumeric || symbols.contains($0) }) else {
            return nil
        }
        let lowercased = text.lowercased()
        let scheme = lowercased.hasPrefix("https://") ? "https" : "http"
        guard lowercased.hasPrefix("\(scheme)://") else { return nil }
        let rest = lowercased.dropFirst(scheme.utf8.count + 3)
        guard let authority = URLAuthority(rest.prefix { $0 != "/" && $0 != "?" }),
            authority.isBracketed || Self.isName(authority.host)
        else {
            return nil
        }
        self.text = text
        isSecure = scheme == "https"
        host = authority.host
        let standardPort = isSecure ? 443 : 80
        port = authority.port ?? standardPort
        let name = host.contains(":") ? "[\(host)]" : host
        origin = port == standardPort ? "\(scheme)://\(name)" : "\(scheme)://\(name):\(port)"
        hasQuery = rest.contains("?")
    }

    /// `true` if the host is this machine: 127.0.0.0/8, `::1` or `localhost`.
    var isLoopback: Bool { IPAddress.isLoopback(host: host) }

    private static func isName(_ name: String) -> Bool {
        (1...253).contains(name.utf8.count)
            && name.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    }
}

extension UInt8 {
    var isDigit: Bool { (0x30...0x39).contains(self) }
    /// An ASCII letter or digit.
    var isAlphanumeric: Bool { isDigit || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
}
