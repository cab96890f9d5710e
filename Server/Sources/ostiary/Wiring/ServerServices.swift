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
import UnixSignals

/// The services of a running server.
struct ServerServices {
    let dependencies: ServerDependencies
    let log: Logger

    func all() throws -> [any Service] {
        let configuration = dependencies.resolved.configuration
        let connections = ConnectionMetrics()
        let postgres = dependencies.store as? PostgresStore
        let metrics = Metrics(
            gauges: {
                Self.gauges(connections.counts) + (postgres.map { Self.gauges($0.connectionCounts) } ?? [])
            },
            counters: { [dependencies] in
                [
                    Self.deferredCounter(dependencies.capHits),
                    Self.counter(of: dependencies.compromisedPasswordFailures),
                ]
            })
        let application = try application(metrics: metrics)
        var services = [
            NamedService("delivery", dependencies.delivery),
            NamedService("events", dependencies.events),
            NamedService("sweeper", Sweeper(store: dependencies.store, system: dependencies.system, log: log)),
            NamedService("server", main(application, connections: connections)),
        ]
        if !configuration.store.isShared { services.append(NamedService("control", control)) }
        if let admin = configuration.adminListen {
            services.append(NamedService("metrics", metricsListener(metrics, at: admin)))
        }
        let reloader = CertificateReloader(certificate: dependencies.resolved.certificate, log: log)
        services.append(NamedService("certificate", reloader))
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
        return ServerApplication(
            mounts: mounts, provider: provider, proxies: ProxyTrust(proxies: configuration.trustedProxies),
            metrics: metrics,
            store: dependencies.store,
            inbox: isDevelopment ? DeliveredInbox(inbox: dependencies.resolved.routes.inbox) : nil,
            showsMetrics: configuration.adminListen == nil,
            isSecure: isSecure,
            maximumBodyBytes: configuration.limits.body)
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

    private func main(_ application: ServerApplication, connections: ConnectionMetrics) -> some Service {
        let configuration = dependencies.resolved.configuration
        let apps = dependencies.resolved.apps
        let scheme = configuration.tls == nil ? "http" : "https"
        return Application(
            responder: RootResponder(application: application, log: log),
            server: .guarded(
                limits: connectionLimits(configuration.limits), certificate: dependencies.resolved.certificate,
                proxies: application.proxies, metrics: connections, refusalBody: { application.body(of: $0) }),
            configuration: .init(
                address: .hostname(configuration.listen.host, port: configuration.listen.port), serverName: nil,
                backlog: 1024),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? configuration.listen.port
                let address = ListenAddress(host: configuration.listen.host, port: port)
                printLine("mode: \(configuration.mode.rawValue)")
                if let home = Self.homePage(application, scheme: scheme, at: address) {
                    printLine("home page: \(home)")
                } else {
                    for app in apps {
                        let place =
                            app.configuration.hosts.isEmpty
                            ? "\(scheme)://\(address)"
                            : "\(scheme)://\(app.configuration.hosts.joined(separator: ", "))"
                        printLine("\(app.settings.name): \(place)\(app.configuration.basePath.text)")
                    }
                }
                printLine("listening on \(scheme)://\(address)")
            },
            logger: lifecycleLog)
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

    private func metricsListener(_ metrics: Metrics, at address: ListenAddress) -> some Service {
        let router = Router()
        router.get("/metrics") { _, _ in metrics.text }
        return Application(
            router: router, server: .plain(idleTimeout: .seconds(180)),
            configuration: .init(address: .hostname(address.host, port: address.port), serverName: nil),
            logger: lifecycleLog)
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

    private static func deferredCounter(_ hits: MessageCapHits) -> Metrics.Counter {
        Metrics.Counter(
            name: "ostiary_messages_held_back_total", help: "Messages that a cap held back.", label: "cap",
            values: MessageCap.allCases.map { ($0.rawValue, hits.count($0)) })
    }

    private static func counter(of failures: CompromisedPasswordFailures) -> Metrics.Counter {
        Metrics.Counter(
            name: "ostiary_compromised_password_failures_total", help: "New passwords that could not be compared.",
            label: "source",
            values: [("url", failures.count)])
    }

    private static func gauges(_ counts: ConnectionMetrics.Counts) -> [(name: String, help: String, value: Double)] {
        [
            ("ostiary_connections_open", "Connections open now.", Double(counts.open)),
            ("ostiary_connections_accepted", "Connections accepted since the start.", Double(counts.accepted)),
            (
                "ostiary_connections_over_capacity", "Connections closed because too many were open.",
                Double(counts.overCapacity)
            ),
            (
                "ostiary_connections_over_network_share",
                "Connections closed because too many of one network were open.", Double(counts.overNetworkShare)
            ),
            (
                "ostiary_connections_refused", "Requests refused before they reached a route.",
                Double(counts.refused.values.reduce(0, +))
            ),
            (
                "ostiary_connections_timed_out", "Connections that missed a deadline.",
                Double(counts.timedOut.values.reduce(0, +))
            ),
        ]
    }
}

extension ServerServices {
    private static func gauges(
        _ counts: (open: Int, busy: Int, waiting: Int)
    ) -> [(name: String, help: String, value: Double)] {
        [
            ("ostiary_database_connections_open", "Connections to PostgreSQL.", Double(counts.open)),
            ("ostiary_database_connections_busy", "Connections to PostgreSQL that are in use.", Double(counts.busy)),
            (
                "ostiary_database_connections_waiting", "Requests that wait for a connection to PostgreSQL.",
                Double(counts.waiting)
            ),
        ]
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

/// Reloads the certificate on SIGHUP; an invalid one is refused and the old one stays in use. Without a certificate,
/// SIGHUP has no effect, although its default is to end the process.
struct CertificateReloader: Service {
    let certificate: TLSCertificate?
    let log: Logger

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            do {
                try certificate?.reload()
                log.notice(certificate == nil ? "there is no certificate to reload" : "the certificate was reloaded")
            } catch {
                log.error(
                    "the certificate was not reloaded; the old one stays in use", metadata: ["problem": "\(error)"])
            }
        }
    }
}
