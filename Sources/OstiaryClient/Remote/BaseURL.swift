import Foundation

/// Where an app's API lives. API paths are simply joined to it.
///
/// HTTPS, except for loopback hosts and where development allows otherwise. Two spellings of one address are equal: scheme
/// and host are in lower case, the default port and a trailing slash are gone.
public struct BaseURL: Hashable, Sendable, CustomStringConvertible {
    /// For example `https://auth.example.com/vici`, without a slash at its end.
    public let text: String
    /// Without the brackets of an IPv6 address.
    public let host: String
    /// Whether what is sent there crosses the network in the clear.
    public let isPlainHTTP: Bool
    package let port: Int
    /// What all paths begin with: empty, or a slash and more without one at its end.
    package let path: String

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

    /// Names that never leave the machine. Nothing is resolved: `127.0.0.1.example.com` is not among them.
    static let loopbackHosts: Set<String> = ["127.0.0.1", "::1", "localhost"]

    /// Names and addresses; what an escape in a URL can hide, such as a slash, is none of it.
    private static func isHostByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || ".-_:".utf8.contains(byte)
    }

    public var description: String { text }
}

/// Why a text is not the base URL of an app.
public enum BaseURLProblem: Error, Hashable, Sendable, CustomStringConvertible {
    case malformed
    case unsupportedScheme
    case holdsCredentials
    case plainHTTP

    public var description: String {
        switch self {
        case .malformed: "not a URL of the form https://host/path"
        case .unsupportedScheme: "only https and, on this machine, http are spoken"
        case .holdsCredentials: "a URL must not hold a user name or a password"
        case .plainHTTP: "plain http is for 127.0.0.1, ::1 and localhost; use https"
        }
    }
}
