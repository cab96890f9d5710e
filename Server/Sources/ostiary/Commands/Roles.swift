import ArgumentParser
import OstiaryEngine

/// The command `ostiary roles`.
struct Roles: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "roles", abstract: "The roles of an app and the permissions that they grant.",
        discussion: """
            Roles of the configuration are shown, and changed in its file. `ostiary users roles` assigns roles to accounts.

            Example:
              ostiary roles create --app vici editor --permission videos:read --permission videos:write
              ostiary roles list --app vici
            """,
        subcommands: [List.self, Create.self, Update.self, Delete.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists the roles in the order of their names.",
            discussion: "Example:\n  ostiary roles list --app vici --json")

        @OptionGroup var options: AppOptions

        @Flag(help: "Print a JSON array, one role a line.") var json = false

        func run() async throws {
            let (app, json) = (options.app, json)
            try await options.administer { control in
                var table = Table("NAME", "SOURCE", "PERMISSIONS")
                var list = JSONList()
                var name: String?
                repeat {
                    let reply = try await control.perform(.listRoles(after: name), app: app)
                    guard case .roles(let page, let next) = reply else { throw ControlReply.unexpected }
                    if json { try list.write(page) } else { try StandardOutput.write(table.lines(page.map(Self.row))) }
                    name = next
                } while name != nil
                if json { try list.end() }
            }
        }

        private static func row(_ role: RoleRecord) -> [String?] {
            [role.name, role.source, role.permissions.joined(separator: ",")]
        }
    }

    /// A role with its permissions.
    struct Definition: ParsableArguments {
        @OptionGroup var options: AppOptions

        @Argument(help: "The name of the role.") var role: String

        @Option(
            parsing: .singleValue,
            help: ArgumentHelp("A permission: videos:write, videos:* or *. May be repeated.", valueName: "permission"))
        var permission: [String] = []

        func administer(_ command: ControlCommand, _ done: String) async throws {
            let app = options.app
            try await options.administer { control in
                guard case .roles(let roles, _) = try await control.perform(command, app: app), let role = roles.first
                else { throw ControlReply.unexpected }
                try StandardOutput.write("\(done) \(role.name): \(role.permissions.joined(separator: ", "))\n")
            }
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create", abstract: "Creates a role.",
            discussion: "Example:\n  ostiary roles create --app vici editor --permission videos:write")

        @OptionGroup var definition: Definition

        func run() async throws {
            try await definition.administer(
                .createRole(definition.role, permissions: definition.permission), "created")
        }
    }

    struct Update: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "update", abstract: "Replaces the permissions of a role, from the next request on.",
            discussion: "Example:\n  ostiary roles update --app vici editor --permission 'videos:*'")

        @OptionGroup var definition: Definition

        func run() async throws {
            try await definition.administer(
                .updateRole(definition.role, permissions: definition.permission), "updated")
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Deletes a role. Accounts that have it keep the assignment, which grants nothing.",
            discussion: "Example:\n  ostiary roles delete --app vici editor")

        @OptionGroup var options: AppOptions

        @Argument(help: "The name of the role.") var role: String

        @Flag(help: ArgumentHelp("Asks nothing anyway.", visibility: .hidden)) var yes = false

        func run() async throws {
            let (app, role) = (options.app, role)
            try await options.administer { control in
                guard case .done = try await control.perform(.deleteRole(role), app: app) else {
                    throw ControlReply.unexpected
                }
                try StandardOutput.write("deleted \(TerminalText.escaped(role))\n")
            }
        }
    }
}
