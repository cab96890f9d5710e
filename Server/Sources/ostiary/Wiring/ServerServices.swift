import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import OstiaryConfiguration
import OstiaryContracts
import OstiaryDelivery
import OstiaryEngine
import OstiaryHTTP
import OstiaryIdentities
import OstiaryStore
import OstiaryTokens
import ServiceLifecycle

/// The services of a running server.
struct ServerServices {
    let dependencies: ServerDependencies
    let log: Logger
    /// Nil without a service manager that waits for messages.
    private let watchdog = ServiceManager(
        environment: ProcessInfo.processInfo.environment, processID: ProcessInfo.processInfo.processIdentifier
    ).map(Watchdog.init)

    init(dependencies: ServerDependencies, log: Logger) {
        self.dependencies = dependencies
        self.log = log
    }

    func all() throws -> [any Service] {
        let configuration = dependencies.resolved.configuration
        let connections = ConnectionMetrics()
        let sampled = SampledCounts()
        let observed = ServerMetrics(dependencies: dependencies, connections: connections, sampled: sampled)
        let metrics = Metrics(others: { observed.families })
        let application = try application(metrics: metrics)
        var services = [
            NamedService("delivery", dependencies.delivery),
            NamedService("events", dependencies.events),
            NamedService("sweeper", Sweeper(store: dependencies.store, system: dependencies.system, log: log)),
            NamedService(
                "statistics", StatisticsService(rollUp: StatisticsRollUp(store: dependencies.store), log: log)),
            NamedService(
                "counts",
                CountSampler(store: dependencies.store, system: dependencies.system, sampled: sampled, log: log)),
            NamedService(
                "server",
                listener(application, at: configuration.listen, connections: connections) {
                    announce(application, at: $0)
                }),
        ]
        if !configuration.store.isShared { services.append(NamedService("control", control)) }
        if let admin = configuration.adminListen {
            services.append(NamedService("admin", adminListener(metrics, at: admin)))
        }
        let reloader = FileReloader(
            certificate: dependencies.resolved.certificate, geography: dependencies.geography, log: log)
        services.append(NamedService("files", reloader))
        if let watchdog { services.append(NamedService("watchdog", watchdog)) }
        return services
    }

    /// The server for commands, which cannot open a locked file themselves. Any other store they open themselves.
    private var control: ControlServer {
        ControlServer(
            service: ControlService(dependencies: dependencies, log: log),
            directory: DataDirectory(existing: dependencies.resolved.configuration.dataDirectory), log: log)
    }

    /// The log for libraries that log whole services at low levels.
    private var lifecycleLog: Logger { log.quietened }

    private func application(metrics: Metrics) throws -> ServerApplication {
        let configuration = dependencies.resolved.configuration
        let mounts = dependencies.resolved.apps.compactMap { app -> ServerApplication.AppMount? in
            let name = app.settings.name
            guard let engine = dependencies.engines[name], let tokens = dependencies.accessTokens[name] else {
                return nil
            }
            let now = dependencies.system.now
            return ServerApplication.AppMount(
                name: name, base: app.configuration.basePath.text, hosts: app.configuration.hosts, baseURL: app.baseURL,
                followsLoopbackHost: dependencies.resolved.followsLoopbackHost,
                app: AppServer(
                    codec: app.codec, engine: engine,
                    frame: frame(app.configuration.displayName, app.configuration.color),
                    publicKeys: { try await tokens.publicKeySet(at: now()) }),
                association: AppleAppAssociation(app.configuration))
        }
        let isDevelopment = configuration.mode == .development
        let provider = dependencies.builtIn.map { builtIn in
            let server = ProviderServer(
                provider: builtIn.provider, frame: frame(configuration.idp?.name ?? "", configuration.idp?.color),
                appleApps: configuration.idp?.passkeys?.appleApps ?? [])
            builtIn.transport.reach(server)
            return server
        }
        var application = ServerApplication(
            mounts: mounts, provider: provider, proxies: ProxyTrust(proxies: configuration.trustedProxies),
            metrics: metrics,
            store: dependencies.store,
            inbox: isDevelopment ? DeliveredInbox(inbox: dependencies.resolved.routes.inbox) : nil,
            showsMetrics: configuration.adminListen == nil,
            admin: configuration.adminListen == nil ? admin : nil,
            isSecure: isSecure,
            maximumBodyBytes: configuration.limits.body)
        application.diagnostics = DiagnosticResponder(
            keys: dependencies.keys, proxies: application.proxies, now: dependencies.system.now)
        return application
    }

    /// `true` if browsers connect over TLS, which ends here or at a proxy.
    private var isSecure: Bool {
        let configuration = dependencies.resolved.configuration
        return configuration.tls != nil || configuration.publicURL?.hasPrefix("https:") == true
    }

    /// The public URL without a path, as browsers send it.
    private var origin: String? {
        dependencies.resolved.configuration.publicURL.map { url in
            url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
        }
    }

    private func frame(_ name: String, _ color: String?) -> Branding {
        Branding(
            name: name, color: color, origin: origin, keys: dependencies.keys,
            isSecure: isSecure, isDevelopment: dependencies.resolved.configuration.mode == .development)
    }

    /// Returns a listener of an application, with the limits of the configuration.
    private func listener(
        _ application: ServerApplication, at address: ListenAddress, connections: ConnectionMetrics,
        onServerRunning: @escaping @Sendable (Int?) -> Void = { _ in }
    ) -> some Service {
        let configuration = dependencies.resolved.configuration
        // The certificate is the apps' host's; administrators come by another name, through a proxy.
        let certificate = application.isAdminListener ? nil : dependencies.resolved.certificate
        return Application(
            responder: RootResponder(application: application, log: log),
            server: .guarded(
                limits: connectionLimits(configuration.limits), certificate: certificate,
                proxies: application.proxies, metrics: connections, refusalResponse: { application.response(to: $0) }),
            configuration: .init(
                address: .hostname(address.host, port: address.port), serverName: nil, backlog: 1024),
            onServerRunning: { channel in onServerRunning(channel.localAddress?.port) },
            logger: lifecycleLog)
    }

    /// Prints where the apps are reached.
    ///
    /// - Parameter port: The port in use, where the configuration leaves it to the system.
    private func announce(_ application: ServerApplication, at port: Int?) {
        let configuration = dependencies.resolved.configuration
        let scheme = configuration.tls == nil ? "http" : "https"
        let address = ListenAddress(host: configuration.listen.host, port: port ?? configuration.listen.port)
        printLine("mode: \(configuration.mode.rawValue)")
        if let home = Self.homePage(application, scheme: scheme, at: address) {
            printLine("home page: \(home)")
        } else {
            for app in dependencies.resolved.apps {
                let place =
                    app.configuration.hosts.isEmpty
                    ? "\(scheme)://\(address)"
                    : "\(scheme)://\(app.configuration.hosts.joined(separator: ", "))"
                printLine("\(app.settings.name): \(place)\(app.configuration.basePath.text)")
            }
        }
        printLine("listening on \(scheme)://\(address)")
        watchdog?.begin()
    }

    /// Returns the URL of the home page, which lists the apps and the inbox; nil where it is not served.
    private static func homePage(_ application: ServerApplication, scheme: String, at address: ListenAddress) -> String?
    {
        let host =
            switch address.host {
            case "0.0.0.0": "127.0.0.1"
            case "::": "::1"
            default: address.host
            }
        let local = ListenAddress(host: host, port: address.port)
        guard local.isLoopback, application.showsHomePage(authority: local.description) else { return nil }
        return "\(scheme)://\(local)/"
    }

    /// The listener of administration: the admin API and metrics, and no app.
    private func adminListener(_ metrics: Metrics, at address: ListenAddress) -> some Service {
        let configuration = dependencies.resolved.configuration
        var application = ServerApplication(
            mounts: [], proxies: ProxyTrust(proxies: configuration.trustedProxies), metrics: metrics,
            store: dependencies.store, inbox: nil, showsMetrics: true, admin: admin,
            isSecure: configuration.adminPublicURL?.hasPrefix("https:") == true,
            maximumBodyBytes: configuration.limits.body)
        application.isAdminListener = true
        // Counted by itself, so that no crowd at the apps keeps administrators out.
        return listener(application, at: address, connections: ConnectionMetrics())
    }

    private var admin: AdminServer {
        let publicURL = dependencies.resolved.configuration.adminPublicURL
        return AdminServer(
            api: AdminAPIServer(dependencies.administered, version: Version.current, publicURL: publicURL),
            hosts: AdminHosts(publicURL: publicURL), console: console)
    }

    /// The operator's console; nil on a server without the provider that signs administrators in.
    private var console: Console? {
        guard let builtIn = dependencies.builtIn else { return nil }
        let (resolved, isDevelopment) = (
            dependencies.resolved, dependencies.resolved.configuration.mode == .development
        )
        let frame = Branding(
            name: resolved.configuration.idp?.name ?? "", keys: dependencies.keys, isSecure: false,
            isDevelopment: isDevelopment)
        return Console(
            provider: builtIn.provider, frame: frame,
            settings: ConsoleSettings(
                origins: resolved.consoleOrigins,
                providerOrigin: resolved.hasConsoleOnMainListener ? "" : resolved.origin,
                configuration: resolved.shown, version: Version.current),
            server: dependencies.administered)
    }

    private func connectionLimits(_ limits: ServerLimits) -> ConnectionLimits {
        var connection = ConnectionLimits()
        connection.bodyBytes = limits.body
        connection.headerBytes = limits.headers
        connection.connections = limits.connections
        connection.headerDeadline = .seconds(limits.headerTimeout)
        connection.bodyDeadline = .seconds(limits.bodyTimeout)
        connection.idleDeadline = .seconds(limits.idleTimeout)
        connection.fit(openFiles: OpenFileLimit.raise())
        return connection
    }
}

/// The development inbox as the application shows it.
struct DeliveredInbox: Inbox {
    let inbox: DevelopmentInbox

    func messages(app: String?, to recipient: String?) async -> [InboxMessage] {
        await inbox.entries(app: app, to: recipient).map { entry in
            InboxMessage(
                id: entry.id, app: entry.app, channel: entry.channel.rawValue, to: entry.to, subject: entry.subject,
                text: entry.text, code: entry.code, link: entry.link, sentAt: entry.sentAt.formatted(.iso8601),
                language: entry.language)
        }
    }

    func empty() async { await inbox.removeAll() }
}

/// Periodically deletes records that can no longer be used.
struct Sweeper: Service {
    let store: any StoreMaintenance
    let system: SystemDependencies
    let log: Logger

    private static let interval = Duration.seconds(600)
    /// The retention of ended sessions, so that a late use of a stolen refresh token is still recognized.
    private static let endedSessionSeconds: TimeInterval = 30 * 86_400
    private static let auditSeconds: TimeInterval = 400 * 86_400

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let now = system.now()
                do {
                    let count = try await store.sweep(
                        at: now, endedBefore: now.addingTimeInterval(-Self.endedSessionSeconds),
                        auditBefore: now.addingTimeInterval(-Self.auditSeconds))
                    if count > 0 { log.debug("swept", metadata: ["rows": "\(count)"]) }
                } catch {
                    log.error("sweeping failed", metadata: ["error": "\(error)"])
                }
                do { try await Task.sleep(for: Self.interval) } catch { return }
            }
        }
    }
}
