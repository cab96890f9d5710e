import ArgumentParser
import Foundation
import OstiaryCore
import OstiaryEngine

/// The command `ostiary admin keys`.
struct ServiceKeys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "The service keys of the admin API.",
        discussion: """
            Example:
              ostiary admin keys create --name "Back office" --scope accounts:read sessions:write --app vici
              ostiary admin keys list
              ostiary admin keys revoke 0f1e2d3c4b5a6978
            """,
        subcommands: [Create.self, List.self, Revoke.self])

    private static func table(_ keys: [ServiceKeyRecord], in table: inout Table) -> String {
        table.lines(
            keys.map { key in
                [
                    key.id, key.name, key.scopes.joined(separator: " "),
                    key.apps.isEmpty ? "all" : key.apps.joined(separator: " "), key.networks.joined(separator: " "),
                    key.createdAt.text, key.expiresAt?.text, key.lastUsedAt?.text, key.revokedAt?.text,
                ]
            })
    }

    private static var emptyTable: Table {
        Table("ID", "NAME", "SCOPES", "APPS", "NETWORKS", "CREATED", "EXPIRES", "LAST USED", "REVOKED")
    }

    private static func key(of reply: ControlReply) throws -> ServiceKeyRecord {
        guard case .serviceKeys(let keys, _) = reply, let key = keys.first else { throw ControlReply.unexpected }
        return key
    }

    /// - Throws: The errors of ``StandardOutput/write(_:)``.
    private static func show(_ key: ServiceKeyRecord, asJSON json: Bool) throws {
        var table = emptyTable
        try StandardOutput.write(json ? try JSONList.line(key) + "\n" : self.table([key], in: &table))
        guard !json, let text = key.key else { return }
        try StandardOutput.write("\nkey: \(text.value.reveal())\n")
        printError("the key is not shown again")
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create", abstract: "Creates a service key and prints it. It is shown this once.",
            discussion: """
                Without --app the key reaches every app except the built-in provider, which is named idp.

                Scopes: \(scopes)

                Example:
                  ostiary admin keys create --name "Back office" --scope accounts:read sessions:write --app vici
                  ostiary admin keys create --name Auditor --scope audit:read --network 10.0.0.0/8 --expires 90d
                """)

        private static var scopes: String {
            AdministrationScope.allCases.map(\.rawValue).joined(separator: ", ")
        }

        @Option(help: "The name, for the list of keys.") var name: String

        @Option(
            parsing: .upToNextOption,
            help: ArgumentHelp("What the key may do. Takes several, and may be repeated.", valueName: "scope"))
        var scope: [String]

        @Option(
            parsing: .upToNextOption,
            help: ArgumentHelp("The app that the key reaches. Takes several, and may be repeated.", valueName: "name"))
        var app: [String] = []

        @Option(
            parsing: .upToNextOption,
            help: ArgumentHelp(
                "The network that requests may come from, such as 10.0.0.0/8. Takes several, and may be repeated.",
                valueName: "cidr"))
        var network: [String] = []

        @Option(
            help: ArgumentHelp(
                "The time after which the key is refused, such as 90d or 12h; at most ten years.", valueName: "period"))
        var expires: Lifetime?

        @OptionGroup var store: StoreOptions

        @Flag(help: "Print the key as JSON.") var json = false

        func run() async throws {
            let request = ServiceKeyRequest(
                name: name, scopes: scope, apps: app, networks: network,
                expiresAt: expires.map { Date().addingTimeInterval($0.seconds) })
            let json = json
            try await store.administer(makingStore: true) { control in
                let key = try ServiceKeys.key(of: try await control.perform(.createServiceKey(request), app: nil))
                do { try ServiceKeys.show(key, asJSON: json) } catch {
                    throw await Self.unprinted(key, revokedBy: control, after: error)
                }
            }
        }

        /// Revokes a key that was not printed, because it cannot be shown again.
        private static func unprinted(
            _ key: ServiceKeyRecord, revokedBy control: any Control, after error: any Error
        ) async -> AdministrationProblem {
            let reason = error is StandardOutput.Closed ? "standard output is closed" : "\(error)"
            do {
                _ = try await control.perform(.revokeServiceKey(key.id), app: nil)
                return AdministrationProblem("\(reason); the new key \(key.id) is revoked")
            } catch {
                return AdministrationProblem(
                    "\(reason); the new key \(key.id) could not be revoked: run ostiary admin keys revoke \(key.id)")
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists the service keys in the order of their creation.",
            discussion: "Example:\n  ostiary admin keys list --json")

        @OptionGroup var store: StoreOptions

        @Flag(help: "Print a JSON array, one key a line.") var json = false

        func run() async throws {
            let json = json
            try await store.administer { control in
                var (list, table) = (JSONList(), ServiceKeys.emptyTable)
                var position: Int?
                repeat {
                    let reply = try await control.perform(.listServiceKeys(after: position), app: nil)
                    guard case .serviceKeys(let keys, let next) = reply else { throw ControlReply.unexpected }
                    if json {
                        try list.write(keys)
                    } else {
                        try StandardOutput.write(ServiceKeys.table(keys, in: &table))
                    }
                    position = next
                } while position != nil
                if json { try list.end() }
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Revokes a service key. Its next request is refused.",
            discussion: "Example:\n  ostiary admin keys revoke 0f1e2d3c4b5a6978")

        @Argument(help: "The id of the key.") var id: String

        @OptionGroup var store: StoreOptions

        @Flag(help: "Print the key as JSON.") var json = false

        func run() async throws {
            let (id, json) = (id, json)
            try await store.administer { control in
                try ServiceKeys.show(
                    try ServiceKeys.key(of: try await control.perform(.revokeServiceKey(id), app: nil)), asJSON: json)
            }
        }
    }

    /// A period, given as a number and a unit: 12h, 90d, 2w.
    struct Lifetime: ExpressibleByArgument {
        let seconds: TimeInterval

        init?(argument: String) {
            guard let seconds = Since.seconds(argument), seconds > 0 else { return nil }
            self.seconds = seconds
        }
    }
}
