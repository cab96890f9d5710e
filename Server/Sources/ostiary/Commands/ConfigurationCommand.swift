import ArgumentParser
import OstiaryConfiguration
import OstiaryDoctor
import OstiaryGeography
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// The command `ostiary config`.
struct ConfigurationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Checks and shows the configuration as the server would read it.",
        discussion: "Example:\n  ostiary config check --config ostiary.yaml",
        subcommands: [Check.self, Show.self, AppleAssociation.self])

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Reads the configuration and everything it refers to; exits 78 at the first problem.",
            discussion: "Example:\n  ostiary config check --config ostiary.yaml")

        @OptionGroup var store: StoreOptions

        @Flag(name: .long, help: "As for serve: development mode may listen on an address that other machines reach.")
        var development = false

        func run() async throws {
            let resolved = try store.resolvedConfiguration { configuration throws(ConfigurationProblem) in
                try configuration.checkListeners(isDevelopmentConfirmed: development)
                _ = try GeographyFiles(configuration.geography)
                for app in configuration.apps {
                    guard case .file(let path) = app.compromisedPasswords else { continue }
                    _ = try CompromisedPasswordSources.open(path, of: app)
                }
            }
            try printResult("ok: \(resolved.configuration.mode.rawValue), \(resolved.apps.count.counting("app"))")
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Prints the effective configuration, defaults included, secrets masked.",
            discussion: "Example:\n  ostiary config show --config ostiary.yaml")

        @OptionGroup var store: StoreOptions

        func run() async throws {
            try printResult(store.resolvedConfiguration().shown)
        }
    }
}
