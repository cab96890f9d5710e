import ArgumentParser
import Foundation
import OstiaryConfiguration
import OstiaryContracts
import OstiaryCore

/// The command `ostiary contract`.
struct ContractCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contract", abstract: "Contracts: the wire formats of the apps' auth APIs.",
        discussion: "Example:\n  ostiary contract show vici > mine.json\n  ostiary contract check mine.json",
        subcommands: [List.self, Show.self, Check.self, OpenAPI.self])

    /// A contract, given as a preset's name or the path of a JSON file.
    struct Reference: ParsableArguments {
        @Argument(help: "A preset's name, or the path of a JSON file.") var name: String

        /// - Throws: Exit status 1 after one line that says what is wrong with the file.
        func contract() throws -> Contract {
            if let preset = Contract.preset(name) { return preset }
            do { return try Contract.read(file: name) } catch {
                printError("\(name): \(error)")
                throw ExitCode.failure
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists the presets.", discussion: "Example:\n  ostiary contract list --json")

        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            if json {
                let list = Contract.presets.map { preset -> JSON in
                    [
                        "name": .string(preset.name), "summary": .string(preset.summary),
                        "prefix": .string(preset.prefix),
                    ]
                }
                try printResult(JSON.array(list).prettyText)
            } else {
                for preset in Contract.presets {
                    try printResult(preset.name.padding(toLength: 14, withPad: " ", startingAt: 0) + preset.summary)
                }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Prints a contract as JSON, as a template for your own.",
            discussion: "Example:\n  ostiary contract show vici > mine.json")

        @OptionGroup var reference: Reference

        func run() async throws { try printResult(reference.contract().json().prettyText) }
    }

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Validates a contract, and prints its endpoints.",
            discussion: "Example:\n  ostiary contract check mine.json")

        @OptionGroup var reference: Reference

        func run() async throws {
            let contract = try reference.contract()
            for (kind, endpoint) in contract.operations {
                let method = endpoint.method.rawValue.padding(toLength: 7, withPad: " ", startingAt: 0)
                try printResult("\(method)\(contract.prefix)\(endpoint.path)  \(kind.rawValue)")
            }
            try printResult("ok: \(contract.name)")
        }
    }

    struct OpenAPI: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "openapi", abstract: "Derives the OpenAPI 3.1 description of a contract.",
            discussion: "Example:\n  ostiary contract openapi vici > vici.openapi.json")

        @OptionGroup var reference: Reference

        @Option(help: ArgumentHelp("The base URL of the paths.", valueName: "url"))
        var server = "http://127.0.0.1:3001"

        func run() async throws { try printResult(reference.contract().openAPI(serverURL: server).prettyText) }
    }
}
