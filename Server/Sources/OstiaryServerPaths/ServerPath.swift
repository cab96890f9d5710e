/// The paths of the server's own endpoints, by which requests are dispatched before any app's: no app may have one.
package enum ServerPath: String, CaseIterable, Sendable {
    case liveness = "/healthz"
    case readiness = "/readyz"
    case metrics = "/metrics"
    /// The file by which a domain names its apps for Apple's platforms.
    case association = "/.well-known/apple-app-site-association"
    /// The messages of development mode.
    case inbox = "/dev/inbox"
    /// The admin API and the console.
    case administration = "/admin"
    /// The built-in OpenID provider.
    case provider = "/idp"

    /// `true` if the paths below it are the server's too.
    package var includesDescendants: Bool {
        switch self {
        case .administration, .provider: true
        case .liveness, .readiness, .metrics, .association, .inbox: false
        }
    }

    package var firstSegment: Substring { rawValue.dropFirst().prefix { $0 != "/" } }

    /// Returns the rest of a path that is equal to this one or below it; nil for a path outside it.
    package func remainder(of path: String) -> String? { Self.remainder(of: path, below: rawValue) }

    /// Returns the rest of a path that is equal to `base` or below it; nil for a path outside it.
    package static func remainder(of path: String, below base: String) -> String? {
        guard path.utf8.starts(with: base.utf8) else { return nil }
        let rest = path.utf8.dropFirst(base.utf8.count)
        return rest.isEmpty || rest.first == UInt8(ascii: "/") ? String(Substring(rest)) : nil
    }
}
