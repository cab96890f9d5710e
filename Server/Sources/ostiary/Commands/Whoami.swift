import ArgumentParser
import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore

/// The command `ostiary whoami`.
struct Whoami: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "whoami", abstract: "Prints the signed-in account, as the server reports it.",
        discussion: "Example:\n  ostiary whoami --json")

    @OptionGroup var client: ClientOptions

    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
        let client = try client.client()
        let user = try await client.run { try await client.auth.refreshUser() }
        let fields: [(String, String?)] = [
            ("id", user.id.text), ("email", user.email?.text), ("username", user.username?.text),
            ("phone_number", user.phoneNumber?.e164), ("full_name", user.fullName?.text),
            ("roles", user.roles.isEmpty ? nil : user.roles.joined(separator: ", ")),
        ]
        let attributes = user.attributes.sorted { $0.key < $1.key }
        if json {
            var members = fields.compactMap { name, value in value.map { JSON.Member(name, .string($0)) } }
            if !attributes.isEmpty {
                let values = attributes.map { JSON.Member($0.key, JSON($0.value)) }
                members.append(JSON.Member("attributes", .object(values)))
            }
            try printResult(TerminalText.escapedJSON(String(decoding: JSON.object(members).bytes, as: UTF8.self)))
        } else {
            for case (let name, let value?) in fields + attributes.map({ ($0.key, $0.value.text) }) {
                let label = name.padding(toLength: max(14, name.utf8.count + 1), withPad: " ", startingAt: 0)
                try printResult(label + TerminalText.escaped(value))
            }
        }
    }
}
