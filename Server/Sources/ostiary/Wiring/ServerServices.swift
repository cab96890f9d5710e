import Foundation
import Logging
import NIOCore
import OstiaryConfiguration
import OstiaryEngine
import OstiaryHTTP
import OstiaryStore
import ServiceLifecycle

/// The services of a running server.
struct ServerServices {
    /// Reads the configuration again.
    let load: @Sendable () throws -> ResolvedConfiguration
    let logOptions: LogOptions
    let log: Logger
    /// The readers of the access log.
    private let feed = AccessLogFeed()
    /// Nil without a service manager that waits for messages.
    private let manager = ServiceManager(
        environment: ProcessInfo.processInfo.environment, processID: ProcessInfo.processInfo.processIdentifier)

    init(
        load: @escaping @Sendable () throws -> ResolvedConfiguration,
        logOptions: LogOptions, log: Logger
    ) {
        self.load = load
        self.logOptions = logOptions
        self.log = log
    }

    /// - Parameter dependencies: What the server begins with.
    func all(_ dependencies: ServerDependencies) -> [any Service] {
        let (resources, configuration) = (dependencies.resources, dependencies.resolved.configuration)
        let connections = ConnectionMetrics()
        let sampled = SampledCounts()
        let reloads = ReloadCounts()
        let observed = ServerMetrics(
            resources: resources, connections: connections, sampled: sampled, reloads: reloads)
        let metrics = Metrics(others: { observed.families })
        let announcement = StartAnnouncement(dependencies.resolved)
        let current = CurrentServer(dependencies, metrics: metrics, feed: feed, log: log)
        let watchdog = manager.map(Watchdog.init)
        var services = [
            // The first, so that it is shut down last: requests need its workers.
            NamedService(
                "configuration",
                ConfigurationReloader(
                    current: current, load: load, manager: manager, reloads: reloads, logOptions: logOptions, log: log)
            ),
            NamedService("sweeper", Sweeper(store: resources.store, system: resources.system, log: log)),
            NamedService(
                "statistics", StatisticsService(rollUp: StatisticsRollUp(store: resources.store), log: log)),
            NamedService(
                "counts",
                CountSampler(store: resources.store, system: resources.system, sampled: sampled, log: log)),
            NamedService(
                "server",
                listener(current.main, at: configuration.listen, connections: connections) { port in
                    announcement.print(current.main.current.application, at: port)
                    watchdog?.begin()
                }),
        ]
        if hasControl(configuration) {
            services.append(NamedService("control", control(current, in: configuration.dataDirectory)))
        }
        if let address = configuration.adminListen, let admin = current.admin {
            // Counted by itself, so that no crowd at the apps keeps administrators out.
            services.append(NamedService("admin", listener(admin, at: address, connections: ConnectionMetrics())))
        }
        if let watchdog { services.append(NamedService("watchdog", watchdog)) }
        return services
    }

    /// `true` if this server can have a socket. A server on PostgreSQL may have no data directory.
    private func hasControl(_ configuration: Configuration) -> Bool {
        !configuration.store.isShared || FileManager.default.fileExists(atPath: configuration.dataDirectory)
    }

    /// The server for commands that cannot open a locked file themselves, and for those that follow the log. Any other store
    /// commands open themselves.
    private func control(_ current: CurrentServer, in directory: String) -> ControlServer {
        ControlServer(
            service: { [log] in ControlService(dependencies: current.dependencies, log: log) }, feed: feed,
            directory: DataDirectory(existing: directory), log: log)
    }

    /// Returns a listener whose application can be replaced.
    private func listener(
        _ responder: ReloadableResponder, at address: ListenAddress, connections: ConnectionMetrics,
        onServerRunning: @escaping @Sendable (Int?) -> Void = { _ in }
    ) -> some Service {
        GuardedListener(
            responder, host: address.host, port: address.port,
            settings: { responder.current.application.connections }, metrics: connections,
            refusalResponse: { responder.current.application.response(to: $0) },
            // Libraries log whole services at low levels.
            logger: log.quietened
        ) { [log] channel in
            // Fails only if the listener was closed already.
            try? await AcceptPauseHandler.add(to: channel, log: log)
            onServerRunning(channel.localAddress?.port)
        }
    }
}
