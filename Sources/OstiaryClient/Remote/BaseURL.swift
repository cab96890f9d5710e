import Foundation

/// The base URL of an app's API, to which API paths are appended.
///
/// HTTPS, except for loopback hosts and where development allows plain HTTP. The URL is normalized, so equivalent
/// spellings compare equal: scheme and host are in lower case, the default port and trailing slashes are removed.
public struct BaseURL: Hashable, Sendable, CustomStringConvertible {
    /// The URL without a trailing slash, for example `https://auth.example.com/vici`.
    public let text: String
    /// The host, without the brackets of an IPv6 address.
    public let host: String
    /// `true` if requests to this URL cross the network unencrypted.
    public let isPlainHTTP: Bool
    package let port: Int
    /// The prefix of all paths: empty, or a slash and more without a trailing slash.
    package let path: String

    /// Parses a base URL.
    ///
    /// - Parameter allowsPlainHTTP: Accepts `http` for hosts other than loopback.
    /// - Throws: ``BaseURLProblem``.
    public init(_ text: String, allowsPlainHTTP: Bool = false) throws(BaseURLProblem) {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let parts = URLComponents(string: text),
            let scheme = parts.scheme?.lowercased(), let host = parts.host?.lowercased(), !host.isEmpty
        else { throw .malformed }
        guard scheme == "https" || scheme == "http" else { throw .unsupportedScheme }
        guard parts.user == nil, parts.password == nil else { throw .holdsCredentials }
        guard parts.query == nil, parts.fragment == nil, parts.port.map({ (1...65_535).contains($0) }) ?? true,
            RequestTarget.isPlainPath(parts.percentEncodedPath)
        else { throw .malformed }

        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        guard bare.utf8.allSatisfy(Self.isHostByte) else { throw .malformed }
        let isPlainHTTP = scheme == "http"
        guard !isPlainHTTP || allowsPlainHTTP || Self.loopbackHosts.contains(bare) else { throw .plainHTTP }
        let usualPort = isPlainHTTP ? 80 : 443
        port = parts.port ?? usualPort
        let colonAndPort = port == usualPort ? "" : ":\(port)"
        var path = parts.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        self.isPlainHTTP = isPlainHTTP
        self.host = bare
        self.path = path
        self.text = "\(scheme)://\(bare.contains(":") ? "[\(bare)]" : bare)\(colonAndPort)\(path)"
    }

    /// Hosts that never leave the machine. Names are compared, not resolved: `127.0.0.1.example.com` is not among them.
    static let loopbackHosts: Set<String> = ["127.0.0.1", "::1", "localhost"]

    /// Accepts the bytes of host names and IP addresses, and none that a percent-escape in a URL can hide, such as a
    /// slash.
    private static func isHostByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || ".-_:".utf8.contains(byte)
    }

    /// The same as ``text``.
    public var description: String { text }
}

/// The reason why a text is not the base URL of an app.
public enum BaseURLProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is not an absolute URL, or has a query, a fragment, an invalid port or host, or a path with `.`
    /// segments.
    case malformed
    /// The scheme is neither `https` nor `http`.
    case unsupportedScheme
    /// The URL contains a user name or a password.
    case holdsCredentials
    /// The scheme is `http` for a host other than loopback, and plain HTTP is not allowed.
    case plainHTTP

    /// The expected form, in English.
    public var description: String {
        switch self {
        case .malformed: "not a URL of the form https://host/path"
        case .unsupportedScheme: "only https and, on this machine, http are spoken"
        case .holdsCredentials: "a URL must not hold a user name or a password"
        case .plainHTTP: "plain http is for 127.0.0.1, ::1 and localhost; use https"
        }
    }
}
