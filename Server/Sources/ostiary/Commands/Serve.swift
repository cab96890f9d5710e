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
        let resolved = try store.resolvedConfiguration(apps: app, listen: listen) {
            configuration throws(ConfigurationProblem) in
            try configuration.checkListeners(isDevelopmentConfirmed: development)
        }
        let log = Self.log(resolved.configuration.log)
        try checkAddresses(resolved.configuration)
        secure(resolved.configuration, log)
        for app in resolved.apps {
            let live = app.settings.codes.testNumbers.filter { Date() < $0.value.until }
            guard !live.isEmpty else { continue }
            let numbers = live.keys.map(\.masked).sorted().joined(separator: ", ")
            log.warning("fixed codes are accepted", metadata: ["app": "\(app.settings.name)", "numbers": "\(numbers)"])
        }
        for (domain, apps) in resolved.appsByRelyingPartyID where apps.count > 1 {
            log.warning(
                "apps share an RP ID: the system offers the passkeys of each at the sign-in of the others",
                metadata: ["rp_id": "\(domain)", "apps": "\(apps.map(\.settings.name.text).joined(separator: ", "))"])
        }
        let dependencies: ServerDependencies
        do {
            dependencies = try await ServerDependencies(resolved, patience: Self.patience, log: log)
        } catch let problem as ConfigurationProblem {
            printError(problem.description)
            throw ExitCode.configuration
        } catch {
            printError("\(error)")
            throw ExitCode.failure
        }
        let services = try ServerServices(dependencies: dependencies, log: log).all()
        let group = ServiceGroup(
            configuration: .init(
                services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: log.quietened))
        do {
            try await group.run()
        } catch {
            try? await dependencies.close()
            // The address may have been taken since the check.
            try checkAddresses(resolved.configuration)
            printError("\(error)")
            throw ExitCode.failure
        }
        try await dependencies.close()
    }

    /// Exits with one line where an address cannot be listened on, before anything else starts.
    private func checkAddresses(_ configuration: Configuration) throws {
        for address in [configuration.listen, configuration.adminListen].compactMap(\.self) {
            do throws(BindCheck.Problem) {
                try BindCheck.run(host: address.host, port: address.port, address: address.description)
            } catch {
                printError("\(error)")
                throw ExitCode.failure
            }
        }
    }

    /// Disables core dumps in production, and warns where other users can access the TLS key or other machines can
    /// reach development mode.
    private func secure(_ configuration: Configuration, _ log: Logger) {
        if configuration.mode == .production, !CoreDumps.disable() {
            log.warning("core dumps could not be turned off: one would hold the server's secrets")
        }
        if let files = configuration.tls, files.isKeyExposed {
            log.warning("the private TLS key can be read or changed by other users", metadata: ["file": "\(files.key)"])
        }
        if configuration.mode == .development, !configuration.listen.isLoopback {
            log.warning("development mode is open to other machines", metadata: ["listen": "\(configuration.listen)"])
        }
    }

    private static func log(_ settings: LogSettings) -> Logger {
        let level = Logger.Level(rawValue: settings.level.rawValue) ?? .info
        let format = LogFormat(settings.format, onTerminal: isatty(STDERR_FILENO) == 1)
        var log = Logger(label: "ostiary") { LineLogHandler(label: $0, level: level, format: format) }
        log.logLevel = level
        return log
    }
}
