import OstiaryConfiguration
import OstiaryContracts
import OstiaryCore
import OstiaryDelivery
import OstiaryEngine
import OstiaryHTTP
import OstiaryTokens

/// The HTTP applications of a server with one configuration.
struct ServerApplications {
    let dependencies: ServerDependencies
    let metrics: Metrics
    /// The readers of the access log.
    let feed: AccessLogFeed

    private var resolved: ResolvedConfiguration { dependencies.resolved }
    private var configuration: Configuration { dependencies.resolved.configuration }

    /// The application of the main listener.
    var main: ServerApplication {
        let mounts = resolved.apps.compactMap { app -> ServerApplication.AppMount? in
            let name = app.settings.name
            guard let engine = dependencies.engines[name], let tokens = dependencies.accessTokens[name] else {
                return nil
            }
            let now = dependencies.system.now
            return ServerApplication.AppMount(
                name: name, base: app.configuration.basePath.text, hosts: app.configuration.hosts, baseURL: app.baseURL,
                followsLoopbackHost: resolved.followsLoopbackHost,
                app: AppServer(
                    codec: app.codec, engine: engine,
                    frame: frame(
                        app.configuration.displayName, app.configuration.color,
                        hasOwnHosts: !app.configuration.hosts.isEmpty),
                    publicKeys: { try await tokens.publicKeySet(at: now()) }),
                association: AppleAppAssociation(app.configuration))
        }
        let provider = dependencies.builtIn.map { builtIn in
            let server = ProviderServer(
                provider: builtIn.provider, frame: frame(configuration.idp?.name ?? "", configuration.idp?.color),
                appleApps: configuration.idp?.passkeys?.appleApps ?? [])
            builtIn.transport.reach(server)
            return server
        }
        var application = ServerApplication(
            mounts: mounts, provider: provider, connections: connections(certificate: resolved.certificate),
            metrics: metrics, store: dependencies.store,
            inbox: isDevelopment ? DeliveredInbox(inbox: dependencies.resources.inbox) : nil,
            showsMetrics: configuration.adminListen == nil,
            admin: configuration.adminListen == nil ? administration : nil,
            isSecure: isSecure)
        application.observation = observation
        application.diagnostics = DiagnosticResponder(
            keys: dependencies.keys, proxies: application.connections.proxies, now: dependencies.system.now)
        return application
    }

    /// The application of the listener of administration: the admin API and metrics, and no app; nil where there is none.
    var admin: ServerApplication? {
        guard configuration.adminListen != nil else { return nil }
        var application = ServerApplication(
            // The certificate is the apps' host's; administrators come by another name, through a proxy.
            mounts: [], connections: connections(certificate: nil), metrics: metrics, store: dependencies.store,
            inbox: nil, showsMetrics: true, admin: administration,
            isSecure: configuration.adminPublicURL?.hasPrefix("https:") == true)
        application.isAdminListener = true
        application.observation = observation
        return application
    }

    private var observation: RequestObservation {
        let accepts: RequestObservation.Acceptance =
            switch configuration.tracing.accept {
            case .trustedProxies: .trustedProxies
            case .all: .all
            case .none: .none
            }
        return RequestObservation(
            tracing: dependencies.tracing, accepts: accepts,
            slow: configuration.log.slowMilliseconds.map { .milliseconds($0) }, feed: feed)
    }

    private var isDevelopment: Bool { configuration.mode == .development }

    /// `true` if browsers connect over TLS, which ends here or at a proxy.
    private var isSecure: Bool {
        configuration.tls != nil || configuration.publicURL?.hasPrefix("https:") == true
    }

    /// - Parameter hasOwnHosts: `true` for an app that browsers reach at its own hosts alone, and not at the public URL.
    private func frame(_ name: String, _ color: String?, hasOwnHosts: Bool = false) -> Branding {
        let origin = configuration.publicURL.flatMap { NormalizedURL($0)?.origin }
        return Branding(
            name: name, color: color, origin: hasOwnHosts ? nil : origin, keys: dependencies.keys, isSecure: isSecure,
            isDevelopment: isDevelopment)
    }

    private var administration: AdminServer {
        let publicURL = configuration.adminPublicURL
        return AdminServer(
            api: AdminAPIServer(dependencies.administered, version: Version.current, publicURL: publicURL),
            hosts: AdminHosts(publicURL: publicURL), console: console)
    }

    /// The operator's console; nil on a server without the provider that signs administrators in.
    private var console: Console? {
        guard let builtIn = dependencies.builtIn else { return nil }
        let frame = Branding(
            name: configuration.idp?.name ?? "", keys: dependencies.keys, isSecure: false, isDevelopment: isDevelopment)
        return Console(
            provider: builtIn.provider, frame: frame,
            settings: ConsoleSettings(
                origins: resolved.consoleOrigins,
                providerOrigin: resolved.hasConsoleOnMainListener ? "" : resolved.origin,
                version: Version.current, configuration: { [resolved] in resolved.shown }),
            server: dependencies.administered)
    }

    private func connections(certificate: TLSCertificate?) -> ConnectionSettings {
        let limits = configuration.limits
        var connection = ConnectionLimits()
        connection.bodyBytes = limits.body
        connection.headerBytes = limits.headers
        connection.connections = limits.connections
        connection.headerDeadline = .seconds(limits.headerTimeout)
        connection.bodyDeadline = .seconds(limits.bodyTimeout)
        connection.idleDeadline = .seconds(limits.idleTimeout)
        connection.fit(openFiles: OpenFileLimit.raise())
        return ConnectionSettings(
            limits: connection, certificate: certificate,
            proxies: ProxyTrust(proxies: configuration.trustedProxies))
    }
}
