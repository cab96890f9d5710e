/// The redirect URIs of an app or client. One that is asked for must be among them to the byte.
///
/// The one exception is a registered loopback address without a port, `http://127.0.0.1/…` or `http://[::1]/…`: any port
/// will do there, since a program that listens for its answer cannot choose. Source: RFC 8252 §7.3, RFC 9700 §2.1.
public struct RedirectURIs: Hashable, Sendable {
    public var registered: [String]

    public init(_ registered: [String]) { self.registered = registered }

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
