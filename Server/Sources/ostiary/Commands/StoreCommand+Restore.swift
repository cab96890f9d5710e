import ArgumentParser
import OstiaryConfiguration
import OstiaryEngine
import OstiaryStore

extension StoreCommand {
    /// The command `ostiary store restore`.
    struct Restore: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "restore", abstract: "Restores a backup into an empty store.",
            discussion: """
                The store is the configuration's: a file that does not exist or is empty, or an empty PostgreSQL database. \
                Stop the server first. The backup is checked before anything is written, and not changed. One of an \
                earlier version is brought up to date, and one of a newer version is refused.

                All sessions remain valid: use the same encryption_key and secrets as before.

                Example:
                  ostiary store restore --from /var/backups/ostiary/ostiary-20261126T021530Z.db
                """)

        @Option(help: ArgumentHelp("The backup.", valueName: "file")) var from: String

        @OptionGroup var store: StoreOptions

        func run() async throws {
            let from = from
            let resolved = try store.resolvedConfiguration()
            try await StoreOptions.exiting {
                try await cancelledWhenInterrupted { try await Self.restore(from, into: resolved) }
            }
            printError("restored; check it with: ostiary store check")
        }

        private static func restore(_ backup: String, into resolved: ResolvedConfiguration) async throws {
            guard let postgres = resolved.postgres else {
                _ = try DataDirectory(making: resolved.configuration.dataDirectory)
                return try await StoreRestore.restore(backup, toSQLite: resolved.databasePath ?? "")
            }
            let progress = CopyProgress()
            defer { progress.clear() }
            _ = try await StoreRestore.restore(
                backup, toPostgres: postgres, system: .system, log: .forCommands
            ) { progress.show($0) }
        }
    }
}
