import ArgumentParser

/// The command `ostiary admin`.
struct Admin: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin", abstract: "Access for administrators and their programs.",
        discussion: """
            Example:
              ostiary admin invite ann@example.com
              ostiary admin keys list
            """,
        subcommands: [Invite.self, ServiceKeys.self])
}
