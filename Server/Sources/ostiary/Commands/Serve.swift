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

/// `ostiary serve`
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serves the apps of a configuration, or every preset in development mode.",
        discussion: """
            Example:
              ostiary serve --listen 127.0.0.1:3001
              ostiary serve --config ostiary.yaml
            """)

    @OptionGroup var store: StoreOptions

    @Option(
        name: .long, parsing: .singleValue,
        help: ArgumentHelp("Serve this app alone. May be repeated.", valueName: "name"))
    var app: [String] = []

    @Option(name: .long, help: ArgumentHelp("Where to listen. Default: 127.0.0.1:3001", valueName: "host:port"))
    var listen: String?

    /// How long the database is waited for: whoever starts both starts them at once.
    private static let patience = Duration.seconds(30)

    func run() async throws {
        let plan = try store.plan(apps: app, listen: listen)
        let log = Self.log(plan.configuration.log)
        for app in plan.apps {
            let live = app.settings.codes.testNumbers.filter { Date() < $0.value.until }
            guard !live.isEmpty else { continue }
            let numbers = live.keys.map(\.masked).sorted().joined(separator: ", ")
            log.warning("fixed codes are accepted", metadata: ["app": "\(app.settings.name)", "numbers": "\(numbers)"])
        }
        let backend: Backend
        do {
            backend = try await Backend(plan, patience: Self.patience, log: log)
        } catch {
            printError("\(error)")
            throw ExitCode.failure
        }
        let services = try ServerServices(backend: backend, log: log).all()
        let group = ServiceGroup(
            configuration: .init(
                services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: log.quietened))
        do {
            try await group.run()
        } catch {
            printError("\(error)")
            try? await backend.close()
            throw ExitCode.failure
        }
        try await backend.close()
    }

    private static func log(_ settings: LogSettings) -> Logger {
        let level = Logger.Level(rawValue: settings.level.rawValue) ?? .info
        var log = Logger(label: "ostiary") { label in
            switch settings.format {
            case .json: JSONLogHandler(label: label, level: level)
            case .text: StreamLogHandler.standardError(label: label)
            }
        }
        log.logLevel = level
        return log
    }
}
