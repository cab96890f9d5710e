import ArgumentParser
import Foundation
import OstiaryConfiguration

/// The options that name a command's configuration and store.
struct StoreOptions: ParsableArguments {
    @Option(
        name: .long, help: ArgumentHelp("The configuration. Default: ostiary.yaml, if it is there.", valueName: "file"))
    var config: String?

    @Option(name: .long, help: ArgumentHelp("The data directory. Default: .ostiary", valueName: "dir"))
    var data: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A file of variables for the configuration, NAME=VALUE a line. They take precedence over those of the "
                + "process, and are read again with the configuration.", valueName: "file"))
    var environment: String?

    /// Reads the configuration and everything that it refers to.
    ///
    /// - Parameter check: A further check of the configuration.
    /// - Returns: The file, nil in development without one; and what it says.
    func readConfiguration(
        apps: [String] = [], listen: String? = nil,
        check: (Configuration) throws(ConfigurationProblem) -> Void = { _ in }
    ) throws(ConfigurationProblem) -> (file: ConfigurationFile?, resolved: ResolvedConfiguration) {
        var variables = ProcessInfo.processInfo.environment
        if let environment { variables.merge(try EnvironmentFile.read(environment)) { _, new in new } }
        let file = try ConfigurationFile.find(option: config, environment: variables)
        let overrides = Configuration.Overrides(listen: listen, dataDirectory: data, apps: apps)
        let configuration = try Configuration(file: file, environment: variables, overrides: overrides)
        try check(configuration)
        return (file, try ResolvedConfiguration(configuration))
    }

    /// Reads the configuration and everything that it refers to.
    ///
    /// - Parameter check: A further check of the configuration.
    func loadConfiguration(
        apps: [String] = [], listen: String? = nil,
        check: (Configuration) throws(ConfigurationProblem) -> Void = { _ in }
    ) throws(ConfigurationProblem) -> ResolvedConfiguration {
        try readConfiguration(apps: apps, listen: listen, check: check).resolved
    }

    /// Reads the configuration and everything that it refers to.
    ///
    /// - Parameter check: A further check of the configuration.
    /// - Throws: Exit status 78 after one line on standard error that names the key and what it needs.
    func resolvedConfiguration(
        apps: [String] = [], listen: String? = nil,
        check: (Configuration) throws(ConfigurationProblem) -> Void = { _ in }
    ) throws -> ResolvedConfiguration {
        try Self.exitingForConfiguration { () throws(ConfigurationProblem) in
            try loadConfiguration(apps: apps, listen: listen, check: check)
        }
    }

    /// Returns what `load` returns.
    ///
    /// - Throws: Exit status 78 after one line on standard error that names the key and what it needs.
    static func exitingForConfiguration<Value>(_ load: () throws(ConfigurationProblem) -> Value) throws -> Value {
        do throws(ConfigurationProblem) { return try load() } catch {
            printError(error.description)
            throw ExitCode.configuration
        }
    }
}

extension ExitCode {
    /// The exit status `EX_CONFIG` of sysexits.h.
    static let configuration = ExitCode(78)
}
