import OstiaryContracts
package import OstiaryEngine
import OstiaryServerPaths

/// All that a server serves: apps under their bases, and its own endpoints.
package struct ServerApplication: Sendable {
    package var mounts: [AppMount]
    /// The built-in OpenID provider; nil where there is none.
    package var provider: ProviderServer?
    /// The settings of the connections of its listener.
    package var connections: ConnectionSettings
    package var metrics: Metrics
    package var store: any StoreMaintenance
    /// Development only: the messages that were sent.
    package var inbox: (any Inbox)?
    /// `true` if `/metrics` is served beside the apps, to this machine alone; in production it has a listener of its
    /// own.
    package var showsMetrics: Bool
    /// The admin API and the console; nil where another listener has them.
    package var admin: AdminServer?
    /// `true` for the listener of administration, which is meant for every client that can reach it. Elsewhere `/admin`
    /// and `/metrics` are served to this machine alone.
    package var isAdminListener = false
    /// `true` if clients connect over TLS, which ends here or at a proxy.
    package var isSecure: Bool
    package var observation = RequestObservation()
    /// Answers requests of `ostiary doctor`; nil where none are expected.
    package var diagnostics: DiagnosticResponder?

    package init(
        mounts: [AppMount], provider: ProviderServer? = nil, connections: ConnectionSettings = ConnectionSettings(),
        metrics: Metrics, store: any StoreMaintenance, inbox: (any Inbox)?,
        showsMetrics: Bool, admin: AdminServer? = nil, isSecure: Bool
    ) {
        self.mounts = mounts.sorted {
            AppMount.precedence(base: $0.base, hosts: $0.hosts) > AppMount.precedence(base: $1.base, hosts: $1.hosts)
        }
        self.provider = provider
        self.connections = connections
        self.metrics = metrics
        self.store = store
        self.inbox = inbox
        self.showsMetrics = showsMetrics
        self.admin = admin
        self.isSecure = isSecure
    }

    /// One app and its location.
    package struct AppMount: Sendable {
        package var name: AppName
        /// The prefix of every path: empty, or `/segment`.
        package var base: String
        /// Empty for any host; else in lower case.
        package var hosts: [String]
        /// The prefix that clients write before the contract's paths.
        package var baseURL: String
        /// Development: `true` if the base URL uses the loopback name by which the client calls this machine, so that a
        /// browser returns to the host that its cookie belongs to.
        package var followsLoopbackHost: Bool
        package var app: AppServer
        /// The apps for Apple's platforms that belong to the app.
        package var association: AppleAppAssociation

        package init(
            name: AppName, base: String, hosts: [String], baseURL: String, followsLoopbackHost: Bool = false,
            app: AppServer, association: AppleAppAssociation = AppleAppAssociation()
        ) {
            self.name = name
            self.base = base
            self.hosts = hosts
            self.baseURL = baseURL
            self.followsLoopbackHost = followsLoopbackHost
            self.app = app
            self.association = association
        }

        /// Returns the precedence among apps that match a request. The most specific is first: an app with host names
        /// before one without, a longer base before a shorter.
        static func precedence(base: String, hosts: [String]) -> (Int, Int) {
            (hosts.isEmpty ? 0 : 1, base.utf8.count)
        }

        /// Returns the base URL for a request.
        ///
        /// - Parameter authority: The Host header. Only a loopback name with the port of the base URL is followed: with
        ///   any other, the client that writes the header could redirect people to a host of its choice.
        func baseURL(authority: String?) -> String {
            guard followsLoopbackHost, let authority = authority?.lowercased(), baseURL.hasPrefix("http://") else {
                return baseURL
            }
            let rest = baseURL.dropFirst("http://".count)
            let own = rest.prefix { $0 != "/" }
            let host = ServerApplication.host(of: String(own))
            let port = own.dropFirst(host.count)
            for name in Self.loopbackNames where Self.loopbackNames.contains(host) && authority == name + port {
                return "http://\(authority)\(rest.dropFirst(own.count))"
            }
            return baseURL
        }

        /// The names of this machine that a base URL follows.
        package static let loopbackNames = ["127.0.0.1", "localhost", "[::1]"]
    }

    /// Returns `true` if a request addressed this machine by a loopback name. A page whose own host name resolves to
    /// loopback (DNS rebinding) did not.
    static func isLoopback(authority: String?) -> Bool {
        IPAddress.isLoopback(host: host(of: authority ?? ""))
    }

    /// Returns the host of an authority, in lower case, an IPv6 address in brackets. Source: RFC 3986 §3.2.2.
    static func host(of authority: String) -> String {
        let text = authority.lowercased()
        if text.hasPrefix("["), let end = text.utf8.firstIndex(of: UInt8(ascii: "]")) { return String(text[...end]) }
        return String(Substring(text.utf8.prefix { $0 != UInt8(ascii: ":") }))
    }

    /// Returns the response to a request that the connection refused before any route saw it: in the format of its app's
    /// contract, if the app is known.
    package func response(to refusal: RequestRefusal) -> ServerResponse {
        let (status, code) = (refusal.status, refusal.kind.rawValue)
        if isAdminListener { return AdminRefusal(status, code).response }
        let text = "The request is refused: \(refusal.reason)."
        let app = refusal.path.flatMap { mount(authority: refusal.host, path: $0) }?.mount.app
        return app.map { ServerResponse($0.codec.write(status, code: code, text)) }
            ?? RootResponder.plain(status, code, text)
    }

    /// Returns the apps for Apple's platforms that belong to the apps of a host or to the built-in provider.
    ///
    /// - Parameter authority: The Host header, with its port if it has one.
    func association(authority: String?) -> AppleAppAssociation {
        let host = Self.host(of: authority ?? "")
        var association = AppleAppAssociation()
        for mount in mounts where mount.hosts.isEmpty || mount.hosts.contains(host) {
            association.add(mount.association)
        }
        association.add(AppleAppAssociation(credentialApps: provider?.appleApps ?? []))
        return association
    }

    /// Returns the app that a request is for, and the path below its base.
    ///
    /// - Parameter authority: The Host header, with its port if it has one.
    func mount(authority: String?, path: String) -> (mount: AppMount, path: String)? {
        lazy var host = Self.host(of: authority ?? "")
        for mount in mounts where mount.hosts.isEmpty || mount.hosts.contains(host) {
            if mount.base.isEmpty { return (mount, path) }
            if let rest = ServerPath.remainder(of: path, below: mount.base) { return (mount, rest) }
        }
        return nil
    }
}
