/// The redirect URIs of an app or client. A requested URI must equal one of them byte for byte.
///
/// The one exception is a registered loopback URI without a port, `http://127.0.0.1/…` or `http://[::1]/…`: it matches
/// any port, since a program that listens for its response cannot choose one. Source: RFC 8252 §7.3, RFC 9700 §2.1.
public struct RedirectURIs: Hashable, Sendable {
    /// The registered URIs.
    public var registered: [String]

    /// The URI to which a sign-in returns whose request names none; nil if none is registered.
    public var first: String? { registered.first }

    /// Creates the set of registered URIs.
    public init(_ registered: [String]) { self.registered = registered }

    /// Returns `true` if the URI is registered, or matches a registered loopback URI.
    public func contains(_ uri: String) -> Bool {
        registered.contains { Self.matches(Array(uri.utf8), registered: Array($0.utf8)) }
    }

    private static let loopbackOrigins = ["http://127.0.0.1", "http://[::1]"].map { Array($0.utf8) }

    private static func matches(_ uri: [UInt8], registered: [UInt8]) -> Bool {
        if uri == registered { return true }
        for origin in loopbackOrigins where registered.starts(with: origin) && uri.starts(with: origin) {
            let path = registered.dropFirst(origin.count)
            guard path.first == UInt8(ascii: "/") else { continue }
            var rest = uri.dropFirst(origin.count)
            guard rest.first == UInt8(ascii: ":") else { continue }
            rest = rest.dropFirst()
            let port = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard (1...5).contains(port.count), Array(rest.dropFirst(port.count)) == Array(path) else { continue }
            return true
        }
        return false
    }
}
