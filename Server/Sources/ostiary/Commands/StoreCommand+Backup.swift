import ArgumentParser
import Foundation
import OstiaryDoctor

extension StoreCommand {
    /// The command `ostiary store backup`.
    struct Backup: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "backup", abstract: "Writes a checked backup of the store, while the server is running.",
            discussion: """
                A backup is one SQLite file, of PostgreSQL too: all records as they are at one moment. It appears under \
                its name when it is complete, checked and on disk, and only its owner can read it. No file is replaced.

                With a directory, the file is named after the time: ostiary-20261126T021530Z.db. --keep removes the oldest \
                of these files, after the new one is complete.

                The server writes the file if it runs on SQLite, so its user needs the right to. The backup contains \
                password hashes, and secrets sealed with encryption_key: keep the key at another place.

                Example:
                  ostiary store backup --to /var/backups/ostiary --keep 14
                """)

        @Option(help: ArgumentHelp("The file to create, or the directory to create it in.", valueName: "path"))
        var to: String

        @Option(help: ArgumentHelp("The number of backups to keep in the directory.", valueName: "count"))
        var keep: Int?

        @OptionGroup var store: StoreOptions

        @Flag(help: "Print the result as JSON.") var json = false

        func validate() throws {
            guard !to.isEmpty else { throw ValidationError("--to needs a file or a directory") }
            guard keep.map({ $0 >= 1 }) ?? true else { throw ValidationError("--keep needs a number from 1") }
        }

        func run() async throws {
            let (to, keep, json) = (to, keep, json)
            try await store.administer { control in
                let reply = try await control.perform(.backUp(to: Self.absolute(to), keeping: keep), app: nil)
                guard case .backedUp(let backup) = reply else { throw ControlReply.unexpected }
                if json {
                    var list = JSONList()
                    try list.write([backup])
                    try list.end()
                } else {
                    try StandardOutput.write("\(backup.path)\n")
                    printError(
                        "\(backup.accounts.counting("account")), \(backup.sessions.counting("session")), "
                            + backup.bytes.counting("byte")
                            + (backup.removed.isEmpty ? "" : "; \(backup.removed.count) older removed"))
                }
            }
        }

        /// Returns the path for a process with another working directory. A slash at the end is kept.
        private static func absolute(_ path: String) -> String {
            path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
        }
    }
}
