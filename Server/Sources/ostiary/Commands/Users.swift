import ArgumentParser
import OstiaryEngine

/// The command `ostiary users`.
struct Users: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users", abstract: "The accounts of an app.",
        discussion: """
            Works while a server runs on the data directory, and while none does. WHO is an account's id, email, username \
            or phone number, as `users show` prints them. Where several accounts match, the command changes nothing and \
            lists their ids; id:7 is the account with the id 7, regardless of the names of others.

            Example:
              ostiary users create --app vici --email ann@example.com --role admin
              ostiary users list --app vici
            """,
        subcommands: [
            List.self, Show.self, Create.self, Update.self, Disable.self, Enable.self, Delete.self, SetPassword.self,
            Roles.self,
            Factors.self, Import.self, Export.self,
        ])

    /// The account that a command is about.
    struct Choice: ParsableArguments {
        @OptionGroup var options: AppOptions

        @Argument(help: "The account's id, email, username or phone number.") var who: String

        func administer(_ command: ControlCommand, _ body: @escaping @Sendable (AccountRecord) throws -> Void)
            async throws
        {
            let app = options.app
            try await options.administer { control in
                try body(try await control.perform(command, app: app).account)
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists the accounts in the order of their creation.",
            discussion: "Example:\n  ostiary users list --app vici --json")

        @OptionGroup var options: AppOptions

        @Flag(help: "Print a JSON array, one account a line.") var json = false

        func run() async throws {
            let (app, json) = (options.app, json)
            try await options.administer { control in
                var table = Table("ID", "NAME", "SIGNS IN WITH", "PROVIDER", "ROLES", "STATE", "CREATED")
                var list = JSONList()
                var position: Int?
                repeat {
                    guard
                        case .accounts(let page, let next) = try await control.perform(
                            .listAccounts(after: position), app: app)
                    else { throw ControlReply.unexpected }
                    if json { try list.write(page) } else { try StandardOutput.write(table.lines(page.map(Self.row))) }
                    position = next
                } while position != nil
                if json { try list.end() }
            }
        }

        private static func row(_ account: AccountRecord) -> [String?] {
            [
                account.id, account.fullName, account.identifiers.joined(separator: ", "), account.authProvider,
                account.roles?.joined(separator: ","), account.active == false ? "disabled" : "active",
                account.createdAt,
            ]
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Shows one account.",
            discussion: "Example:\n  ostiary users show --app vici ann@example.com")

        @OptionGroup var choice: Choice

        @Flag(help: "Print JSON.") var json = false

        @Flag(help: ArgumentHelp("Asks nothing anyway.", visibility: .hidden)) var yes = false

        func run() async throws {
            let json = json
            try await choice.administer(.showAccount(choice.who)) { account in
                try StandardOutput.write(json ? try JSONList.line(account) + "\n" : account.sheet)
            }
        }
    }

    struct Roles: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "roles",
            abstract: "Adds roles to an account and removes roles; without either option, shows them.",
            discussion:
                "Example:\n  ostiary users roles --app vici ann@example.com --add admin --remove editor@project:42")

        @OptionGroup var choice: Choice

        @Option(
            parsing: .singleValue,
            help: ArgumentHelp("A role to add: ROLE, or ROLE@SCOPE. May be repeated.", valueName: "role"))
        var add: [String] = []

        @Option(
            parsing: .singleValue, help: ArgumentHelp("A role to remove. May be repeated.", valueName: "role"))
        var remove: [String] = []

        func run() async throws {
            let command: ControlCommand =
                add.isEmpty && remove.isEmpty
                ? .showAccount(choice.who) : .changeRoles(choice.who, adding: add, removing: remove)
            try await choice.administer(command) { account in
                try StandardOutput.write((account.roles ?? []).map { "\($0)\n" }.joined())
            }
        }
    }
}

extension AccountRecord {
    /// The identifiers that the person signs in with, the most usual first.
    var identifiers: [String] {
        var identifiers: [String] = []
        for identifier in [username, email, phoneNumber, providerSubject].compactMap({ $0 })
        where !identifiers.contains(identifier) {
            identifiers.append(identifier)
        }
        return identifiers
    }

    /// The name of the account in a message.
    var label: String {
        TerminalText.escaped("\(id ?? "?")\(identifiers.first.map { " (\($0))" } ?? "")")
    }

    /// All fields of the account, one a line.
    var sheet: String {
        let fields: [(String, String?)] = [
            ("id", id), ("username", username), ("email", email), ("phone number", phoneNumber), ("name", fullName),
            ("roles", roles?.joined(separator: ", ")), ("state", active == false ? "disabled" : "active"),
            ("provider", authProvider), ("subject", providerSubject), ("created", createdAt),
        ]
        let attributes = (attributes ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, Optional($0.value.text)) }
        return (fields + attributes).compactMap { name, value in
            guard let value, !value.isEmpty else { return nil }
            let gap = String(repeating: " ", count: max(1, 14 - name.count))
            return "\(name)\(gap)\(TerminalText.escaped(value))\n"
        }.joined()
    }
}
