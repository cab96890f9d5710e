import ArgumentParser
import OstiaryDoctor

extension Users {
    /// The command `ostiary users factors`.
    struct Factors: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "factors", abstract: "The second factors of an account.",
            discussion: """
                Example:
                  ostiary users factors list --app vici ann@example.com
                  ostiary users factors reset --app vici ann@example.com
                """,
            subcommands: [List.self, Reset.self])

        struct List: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "list", abstract: "Lists the second factors of an account in order of creation.",
                discussion: "Example:\n  ostiary users factors list --app vici ann@example.com")

            @OptionGroup var choice: Choice

            @Flag(help: "Print a JSON array, one factor a line.") var json = false

            func run() async throws {
                let (app, who, json) = (choice.options.app, choice.who, json)
                try await choice.options.administer { control in
                    guard
                        case .factors(let factors, let codes) = try await control.perform(
                            .listFactors(of: who), app: app)
                    else { throw ControlReply.unexpected }
                    guard !json else {
                        var list = JSONList()
                        try list.write(factors)
                        return try list.end()
                    }
                    var table = Table("ID", "TYPE", "NAME", "CREATED", "LAST USED")
                    let rows = factors.map { [$0.id, $0.type, $0.name, $0.createdAt.text, $0.lastUsedAt?.text] }
                    try StandardOutput.write(table.lines(rows) + (codes.map { "recovery codes left: \($0)\n" } ?? ""))
                }
            }
        }

        struct Reset: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "reset",
                abstract: "Removes the second factors and recovery codes of an account, and ends its sessions.",
                discussion: """
                    For a person who has lost every factor and whose identity was verified by other means. The password \
                    alone signs in afterwards. The owner is informed.

                    Example:
                      ostiary users factors reset --app vici ann@example.com
                    """)

            @OptionGroup var choice: Choice

            func run() async throws {
                let (app, who) = (choice.options.app, choice.who)
                try await choice.options.administer { control in
                    guard
                        case .factorsRemoved(let account, let count) = try await control.perform(
                            .resetFactors(of: who), app: app)
                    else { throw ControlReply.unexpected }
                    try StandardOutput.write("removed \(count.counting("factor")) of \(account.label)\n")
                }
            }
        }
    }
}
