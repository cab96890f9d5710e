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

    /// Reads the configuration and everything that it refers to.
    ///
    /// - Parameter check: A further check of the configuration.
    /// - Throws: Exit status 78 after one line on standard error that names the key and what it needs.
    func resolvedConfiguration(
        apps: [String] = [], listen: String? = nil,
        check: (Configuration) throws(ConfigurationProblem) -> Void = { _ in }
    ) throws -> ResolvedConfiguration {
        do throws(ConfigurationProblem) {
            return try readConfiguration(apps: apps, listen: listen, check: check).resolved
        } catch {
            printError(error.description)
            throw ExitCode.configuration
        }
    }

    /// Reads the configuration and everything that it refers to.
    ///
    /// - Parameter check: A further check of the configuration.
    /// - Returns: The file, nil in development without one; and what it says.
    func readConfiguration(
        apps: [String] = [], listen: String? = nil,
        check: (Configuration) throws(ConfigurationProblem) -> Void = { _ in }
    ) throws(ConfigurationProblem) -> (file: ConfigurationFile?, resolved: ResolvedConfiguration) {
        let environment = ProcessInfo.processInfo.environment
        let file = try ConfigurationFile.find(option: config, environment: environment)
        let overrides = Configuration.Overrides(listen: listen, dataDirectory: data, apps: apps)
        let configuration = try Configuration(file: file, environment: environment, overrides: overrides)
        try check(configuration)
        return (file, try ResolvedConfiguration(configuration))
    }
}

extension ExitCode {
    /// The exit status `EX_CONFIG` of sysexits.h.
    static let configuration = ExitCode(78)
}
