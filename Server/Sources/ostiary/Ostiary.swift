import ArgumentParser

/// The program: a server, and its commands.
///
/// Every command declares its own name: deriving the names from the types takes a tenth of the server's start-up time.
@main
struct Ostiary: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ostiary",
        abstract: "Sign-in for Swift apps: a self-hosted auth server, and a client at the terminal.",
        discussion: """
            Without a configuration, `ostiary serve` starts in development mode: every preset under its own prefix, with \
            SQLite and an inbox that shows messages instead of sending them.
            """,
        version: Version.current,
        subcommands: [
            Serve.self, Init.self, Doctor.self, Users.self, Sessions.self, Roles.self, Messages.self, Keys.self,
            Audit.self, Tail.self, Risk.self, Events.self,
            Stats.self, Admin.self, ContractCommand.self,
            ConfigurationCommand.self, StoreCommand.self, Pin.self, Passwords.self, Login.self, Whoami.self,
            RequestCommand.self,
            Logout.self,
        ])
}
