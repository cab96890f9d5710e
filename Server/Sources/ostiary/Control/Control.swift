import Foundation
import Logging
import OstiaryConfiguration
import OstiaryEngine
import OstiaryStore

/// The process that has the store open: this one, or the server that runs on the data directory.
protocol Control: Sendable {
    /// - Throws: ``AdministrationProblem`` for every error with a message for the administrator.
    func perform(_ command: ControlCommand, app: String?) async throws -> ControlReply

    func close() async throws

    /// The maximum number of records of an import in one command, after which it can be interrupted.
    var maximumImport: Int { get }
}

extension Control {
    var maximumImport: Int { ControlCommand.pageSize }
}

/// The store opened by this process, because no server runs.
struct LocalControl: Control {
    private let service: ControlService

    init(dependencies: ServerDependencies, log: Logger) {
        service = ControlService(dependencies: dependencies, log: log)
    }

    func perform(_ command: ControlCommand, app: String?) async throws -> ControlReply {
        let request = ControlRequest(app: app, store: service.store, command: command)
        return try await service.answer(request, from: .current).reply()
    }

    func close() async throws { try await service.dependencies.close() }
}

extension ControlAnswer {
    func reply() throws(AdministrationProblem) -> ControlReply {
        switch self {
        case .reply(let reply): return reply
        case .refused(let reason): throw AdministrationProblem(reason)
        }
    }
}

extension ResolvedConfiguration {
    /// The time that a command waits for a server that is starting or ending, or for another command.
    private static let patience = Duration.seconds(10)

    /// Connects to the server that runs on the data directory, or opens the store if none does. A database that is not
    /// a file is opened in any case: it permits concurrent users.
    ///
    /// - Parameter makingStore: `true` to create a missing database. Otherwise a mistyped path must not look like an
    ///   empty store.
    /// - Throws: ``AdministrationProblem``, ``StoreError``, ``ConfigurationProblem``.
    func openControl(makingStore: Bool) async throws -> any Control {
        guard let databasePath else { return try await openLocalControl() }
        let deadline = ContinuousClock.now + Self.patience
        while true {
            if let client = try await reachServer(holding: databasePath) { return client }
            guard makingStore || FileManager.default.fileExists(atPath: databasePath) else {
                throw AdministrationProblem("\(databasePath) does not exist: is --data or --config missing?")
            }
            do {
                return try await openLocalControl()
            } catch StoreError.inUse(let path) {
                guard ContinuousClock.now < deadline else {
                    throw AdministrationProblem(
                        "\(path) is in use by another Ostiary process, and none answers at \(socketPath)")
                }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    private func openLocalControl() async throws -> LocalControl {
        LocalControl(dependencies: try await ServerDependencies(self, log: .forCommands), log: .forCommands)
    }

    /// Connects to the store without locking out another process: nil where it is a file and no server has it open.
    ///
    /// - Throws: ``AdministrationProblem``.
    func reachOpenStore() async throws -> (any Control)? {
        if let databasePath { return try await reachServer(holding: databasePath) }
        do { return try await openLocalControl() } catch let problem as StoreError {
            throw AdministrationProblem(problem.description)
        }
    }

    /// A client of the server on the data directory.
    var controlClient: ControlClient {
        ControlClient(socketPath: socketPath, store: databasePath.flatMap { FileIdentity(path: $0) })
    }

    /// Returns the server that runs on the data directory; nil if none answers.
    func reachServer(holding databasePath: String) async throws -> ControlClient? {
        let client = ControlClient(socketPath: socketPath, store: FileIdentity(path: databasePath))
        do {
            _ = try await client.perform(.hello, app: nil)
            return client
        } catch ControlClient.Failure.notRunning {
            return nil
        }
    }

    private var socketPath: String { DataDirectory(existing: configuration.dataDirectory).socketPath }
}

extension Logger {
    /// The log of commands: errors alone, on standard error, since lower levels do not concern a person at a terminal.
    static var forCommands: Logger {
        var log = Logger(label: "ostiary", factory: { StreamLogHandler.standardError(label: $0) })
        log.logLevel = .error
        return log
    }
}
