import ArgumentParser

/// The command `ostiary store`.
struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Operations on a whole store.",
        discussion: """
            Example:
              ostiary store backup --to /var/backups/ostiary --keep 14
              ostiary store copy --from sqlite:ostiary.db --to postgres://ostiary@127.0.0.1/ostiary
            """,
        subcommands: [Backup.self, Restore.self, Check.self, Copy.self])
}
