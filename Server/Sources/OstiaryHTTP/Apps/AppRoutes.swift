package import OstiaryContracts
import OstiaryCore
package import OstiaryEngine
import OstiaryServerPaths

/// The paths of one app as its configuration determines them, for a check before the server starts.
package struct AppRoutes: Sendable {
    package let name: AppName
    private let base: String
    /// Empty for any host.
    private let hosts: [String]
    /// The hosts that clients send requests to.
    private let addressedHosts: [String]
    private let operations: [Route]
    /// The endpoints and pages that are no operations of the contract.
    private let endpoints: [Route]

    private struct Route: Sendable {
        /// Relative to the app's base. A segment in braces stands for any text.
        var path: String
        /// The operation with its method; for an endpoint beside the contract, that word.
        var label: String
    }

    /// - Parameters:
    ///   - hosts: The host names of the app, in lower case; empty for all.
    ///   - baseURL: The prefix that clients write before the contract's paths.
    ///   - providers: The names of the identity providers at which users sign in in a browser.
    package init(
        base: String, hosts: [String], baseURL: String, codec: Codec, settings: AppSettings, providers: [String]
    ) {
        name = settings.name
        self.base = base
        self.hosts = hosts
        addressedHosts = hosts.isEmpty ? [Self.host(of: baseURL)] : hosts
        let prefix = codec.contract.prefix
        operations = codec.contract.operations.map { kind, endpoint in
            Route(path: prefix + endpoint.path, label: "\(kind.rawValue), \(endpoint.method.rawValue)")
        }
        var paths = AppServer.Endpoint.allCases.map(\.rawValue)
        paths.append(contentsOf: AppServer.pages(of: codec, settings).keys)
        if !providers.isEmpty {
            paths.append(contentsOf: BrowserEndpoint.besideContract(of: settings, providers: providers).keys)
        }
        endpoints = paths.sorted().map { Route(path: $0, label: "endpoint") }
    }

    /// Returns the reason to refuse this app: the server itself or another app can answer a request to one of its paths, or an
    /// operation can have the path of an endpoint beside the contract. Nil if there is no conflict.
    ///
    /// Methods make no difference: an endpoint answers the other ones with 405, and passes no request on to a contract.
    package func conflict(among apps: [AppRoutes]) -> String? {
        for route in operations + endpoints {
            if let path = Self.serverPath(meeting: base + route.path) {
                return Self.need(name(of: route), path)
            }
        }
        for operation in operations {
            if let endpoint = endpoints.first(where: { Self.meet(operation.path, $0.path) }) {
                return Self.need(name(of: operation), base + endpoint.path)
            }
        }
        for route in operations + endpoints {
            if let other = apps.first(where: { $0.hides(route.path, of: self) }) {
                return "needs another base_path or other hosts: its \(name(of: route)) collides with the app "
                    + "\(other.name) at \(other.base.isEmpty ? "/" : other.base)"
            }
        }
        return nil
    }

    private static func need(_ name: String, _ path: String) -> String {
        "needs other paths: its \(name) collides with \(path), which the server itself answers"
    }

    private func name(of route: Route) -> String { "\(route.label) \(base + route.path)" }

    /// Returns `true` if this app receives the requests to a path of another one, on a host that those are sent to.
    private func hides(_ path: String, of other: AppRoutes) -> Bool {
        typealias Mount = ServerApplication.AppMount
        return Mount.precedence(base: base, hosts: hosts) > Mount.precedence(base: other.base, hosts: other.hosts)
            && other.addressedHosts.contains { hosts.isEmpty || hosts.contains($0) }
            && Self.meet(other.base + path, base, orBelow: true)
    }

    // MARK: Paths

    private static func serverPath(meeting path: String) -> String? {
        ServerPath.allCases.first { meet(path, $0.rawValue, orBelow: $0.includesDescendants) }?.rawValue
            ?? PageAssets.paths.first { meet(path, $0) }
    }

    /// Returns `true` if a request can match a path of a contract, and a fixed path or one below that.
    private static func meet(_ path: String, _ fixed: String, orBelow: Bool = false) -> Bool {
        let (segments, others) = (Self.segments(path), Self.segments(fixed))
        guard orBelow ? segments.count >= others.count : segments.count == others.count else { return false }
        return zip(segments, others).allSatisfy { $0 == $1 || $0.hasPrefix("{") && !$1.isEmpty }
    }

    private static func segments(_ path: String) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: false)
    }

    private static func host(of url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return "" }
        return ServerApplication.host(of: String(url[scheme.upperBound...].prefix { $0 != "/" }))
    }
}
