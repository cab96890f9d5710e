import ArgumentParser
import OstiaryConfiguration
import OstiaryEngine

/// The options that name a command's app and its store.
struct AppOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The app, by its name in the configuration.", valueName: "name"))
    var app: String

    @OptionGroup var remote: RemoteOptions

    @OptionGroup var store: StoreOptions

    func administer<Value: Sendable>(
        makingStore: Bool = false, _ body: @escaping @Sendable (any Control) async throws -> Value
    ) async throws -> Value {
        try await store.administer(makingStore: makingStore, remote, body)
    }
}

/// The options of a command on one app that works on the server's own machine only.
struct LocalAppOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The app, by its name in the configuration.", valueName: "name"))
    var app: String

    @OptionGroup var store: StoreOptions

    func administer<Value: Sendable>(
        _ body: @escaping @Sendable (any Control) async throws -> Value
    ) async throws -> Value {
        try await store.administer(nil, body)
    }
}

extension StoreOptions {
    /// Runs `body` with the server on the data directory, or with the store itself if none runs.
    ///
    /// - Parameters:
    ///   - makingStore: `true` to create a missing database.
    ///   - remote: The server on another machine that runs it instead, if it is named.
    /// - Throws: The exit status, after one line on standard error.
    func administer<Value: Sendable>(
        makingStore: Bool = false, _ remote: RemoteOptions? = nil,
        _ body: @escaping @Sendable (any Control) async throws -> Value
    ) async throws -> Value {
        if let remote, remote.server != nil {
            guard config == nil, data == nil else {
                printError("--server excludes --config and --data, which are for this machine")
                throw ExitCode.validationFailure
            }
            return try await Self.exiting {
                guard let control = try remote.control() else { throw ControlReply.unexpected }
                return try await body(control)
            }
        }
        let resolved = try resolvedConfiguration()
        return try await Self.exiting {
            let control = try await resolved.openControl(makingStore: makingStore)
            let value: Value
            do { value = try await body(control) } catch {
                try? await control.close()
                throw error
            }
            try await control.close()
            return value
        }
    }

    /// Maps every error of `body` to the exit status, after one line on standard error.
    static func exiting<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let status as ExitCode {
            throw status
        } catch is StandardOutput.Closed {
            // The reader closed the pipe, as `head` does to every command before it.
            throw ExitCode.success
        } catch is CancellationError {
            throw ExitCode.interrupted
        } catch let problem as ConfigurationProblem {
            printError(problem.description)
            throw ExitCode.configuration
        } catch {
            printError(TerminalText.escaped("\(error)"))
            throw ExitCode.failure
        }
    }
}

extension ExitCode {
    /// The status that shells report for a program that Ctrl-C ended.
    static let interrupted = ExitCode(130)
}

extension ControlReply {
    /// The error for a reply that a server of this version never sends.
    static var unexpected: AdministrationProblem { AdministrationProblem("the answer does not fit the command") }

    var account: AccountRecord {
        get throws {
            guard case .account(let record) = self else { throw Self.unexpected }
            return record
        }
    }
}
