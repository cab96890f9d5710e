import ArgumentParser
import Foundation
import Logging
import OstiaryConfiguration
import OstiaryCore
import OstiaryEngine
import OstiaryHTTP
import OstiaryStore
import ServiceLifecycle
import UnixSignals

/// The command `ostiary serve`.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serves the apps of a configuration, or every preset in development mode.",
        discussion: """
            Example:
              ostiary serve --listen 127.0.0.1:3001
              ostiary serve --config ostiary.yaml
              ostiary serve --development --listen 0.0.0.0:3001
            """)

    @OptionGroup var store: StoreOptions

    @Option(
        name: .long, parsing: .singleValue,
        help: ArgumentHelp("Serve this app alone. May be repeated.", valueName: "name"))
    var app: [String] = []

    @Option(
        name: .long, help: ArgumentHelp("The address to listen on. Default: 127.0.0.1:3001", valueName: "host:port"))
    var listen: String?

    @Flag(
        name: .long,
        help:
            "Serve development mode on an address that other machines reach. Its pages and secrets are for tests only."
    )
    var development = false

    /// The time to wait for the database, which is often started together with the server.
    private static let patience = Duration.seconds(30)

    func run() async throws {
        Allocator.limitArenas()
        let load = {
            @Sendable [store, app, listen, development] () throws(ConfigurationProblem) -> ResolvedConfiguration in
            try store.loadConfiguration(apps: app, listen: listen) { configuration throws(ConfigurationProblem) in
                try configuration.checkListeners(isDevelopmentConfirmed: development)
            }
        }
        let (services, resources, addresses, log) = try await start(load)
        let group = ServiceGroup(
            configuration: .init(
                services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: log.quietened))
        do {
            try await group.run()
        } catch {
            try? await resources.close()
            // The address may have been taken since the check.
            try check(addresses)
            printError("\(error)")
            throw ExitCode.failure
        }
        try await resources.close()
    }

    /// Makes what the server begins with. The configuration is returned by no means, so that a reload leaves nothing of it in memory.
    private func start(
        _ load: @escaping @Sendable () throws(ConfigurationProblem) -> ResolvedConfiguration
    ) async throws -> (services: [any Service], resources: ServerResources, addresses: [ListenAddress], log: Logger) {
        let resolved = try StoreOptions.exitingForConfiguration(load)
        let configuration = resolved.configuration
        let logOptions = LogOptions(configuration.log)
        let log = Logger(label: "ostiary") { LineLogHandler(label: $0, options: logOptions) }
        let addresses = [configuration.listen, configuration.adminListen].compactMap(\.self)
        try check(addresses)
        if configuration.mode == .production, !CoreDumps.disable() {
            log.warning("core dumps could not be turned off: one would hold the server's secrets")
        }
        resolved.warn(log)
        do {
            let dependencies = try await ServerDependencies(resolved, patience: Self.patience, log: log)
            let services = ServerServices(load: load, logOptions: logOptions, log: log).all(dependencies)
            return (services, dependencies.resources, addresses, log)
        } catch let problem as ConfigurationProblem {
            printError(problem.description)
            throw ExitCode.configuration
        } catch {
            printError("\(error)")
            throw ExitCode.failure
        }
    }

    /// Exits with one line where an address cannot be listened on, before anything else starts.
    private func check(_ addresses: [ListenAddress]) throws {
        for address in addresses {
            do throws(BindCheck.Problem) {
                try BindCheck.run(host: address.host, port: address.port, address: address.description)
            } catch {
                printError("\(error)")
                throw ExitCode.failure
            }
        }
    }
}
