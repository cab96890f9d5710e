import ArgumentParser

/// The command `ostiary keys`.
struct Keys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "The keys that sign access tokens, and those that seal stored secrets.",
        discussion: """
            Apps with a jwt_secret have no keys: they sign with that secret.

            Example:
              ostiary keys list
              ostiary keys rotate --app clarity
            """,
        subcommands: [List.self, Rotate.self, RotateEncryption.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists the keys that are accepted, the newest of each app first.",
            discussion: "Example:\n  ostiary keys list --app clarity --json")

        @Option(help: ArgumentHelp("This app alone.", valueName: "name")) var app: String?

        @OptionGroup var store: StoreOptions

        @Flag(help: "Print a JSON array, one key a line.") var json = false

        func run() async throws {
            let (app, json) = (app, json)
            try await store.administer { control in
                try Keys.show(try await control.perform(.listKeys, app: app), asJSON: json)
            }
        }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate", abstract: "Creates a new key, which signs from now on.",
            discussion: """
                The old key is accepted until the last token signed with it has expired. No user is signed out.

                After a theft, --revoke rejects the earlier keys within a minute. Clients then refresh their tokens.

                Example:
                  ostiary keys rotate --app clarity
                  ostiary keys rotate --app clarity --revoke
                """)

        @OptionGroup var options: LocalAppOptions

        @Flag(help: "Reject the earlier keys, and the access tokens that they have signed.") var revoke = false

        @Flag(help: "Print a JSON array, one key a line.") var json = false

        func run() async throws {
            let (app, json, command) = (options.app, json, revoke ? ControlCommand.replaceKeys : .rotateKeys)
            try await options.administer { control in
                try Keys.show(try await control.perform(command, app: app), asJSON: json)
            }
        }
    }

    private static func show(_ reply: ControlReply, asJSON json: Bool) throws {
        guard case .keys(let keys) = reply else { throw ControlReply.unexpected }
        guard !json else {
            var list = JSONList()
            try list.write(keys)
            return try list.end()
        }
        var table = Table("APP", "KEY", "ALGORITHM", "STATE", "SIGNS FROM", "ACCEPTED UNTIL")
        try StandardOutput.write(
            table.lines(
                keys.map { [$0.app, $0.kid, $0.algorithm, $0.state, $0.createdAt.text, $0.retiresAt?.text ?? ""] }))
    }
}
