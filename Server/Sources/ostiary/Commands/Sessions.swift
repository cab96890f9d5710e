import ArgumentParser
import OstiaryDoctor

/// The command `ostiary sessions`.
struct Sessions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "The sessions of an account.",
        discussion: """
            Example:
              ostiary sessions list --app vici ann@example.com
              ostiary sessions revoke --app vici --all ann@example.com
            """,
        subcommands: [List.self, Revoke.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists the active sessions of an account, the most recently used first.",
            discussion: "Example:\n  ostiary sessions list --app vici ann@example.com")

        @OptionGroup var options: AppOptions

        @Argument(help: "The account's id, email, username or phone number.") var who: String

        @Flag(help: "Print a JSON array, one session a line.") var json = false

        func run() async throws {
            let (app, who, json) = (options.app, who, json)
            try await options.administer { control in
                guard case .sessions(let sessions) = try await control.perform(.listSessions(of: who), app: app) else {
                    throw ControlReply.unexpected
                }
                guard !json else {
                    var list = JSONList()
                    try list.write(sessions)
                    return try list.end()
                }
                var table = Table(
                    "ID", "CREATED", "LAST USED", "ENDS UNUSED", "DEVICE", "ADDRESS", "COUNTRY", "USER AGENT")
                try StandardOutput.write(table.lines(sessions.map(Self.row)))
            }
        }

        private static func row(_ session: SessionRecord) -> [String?] {
            [
                session.id, session.createdAt.text, session.lastUsedAt.text, session.idleEndsAt?.text, session.device,
                session.address, session.country, session.userAgent,
            ]
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "Revokes one session, or all of an account. Their tokens are rejected immediately.",
            discussion: """
                Example:
                  ostiary sessions revoke --app vici IEOL1h6p7xs3idHyAutwXw
                  ostiary sessions revoke --app vici --all ann@example.com
                """)

        @OptionGroup var options: AppOptions

        @Argument(help: ArgumentHelp("The session's id.", valueName: "session-id")) var session: String?

        @Option(help: ArgumentHelp("Revoke every session of this account instead.", valueName: "who")) var all: String?

        func validate() throws {
            guard (session == nil) != (all == nil) else {
                throw ValidationError("Either a session's id or --all WHO is needed.")
            }
        }

        func run() async throws {
            let app = options.app
            let command = all.map { ControlCommand.revokeAllSessions(of: $0) } ?? .revokeSession(session ?? "")
            try await options.administer { control in
                guard case .revoked(let count) = try await control.perform(command, app: app) else {
                    throw ControlReply.unexpected
                }
                try StandardOutput.write("ended \(count.counting("session"))\n")
            }
        }
    }
}
