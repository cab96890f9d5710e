import ArgumentParser
import OstiaryConfiguration
import OstiaryCore
import OstiaryDoctor
import OstiaryEngine
import OstiaryPostgres
import OstiaryStore

extension StoreCommand {
    /// The command `ostiary store copy`.
    struct Copy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "copy", abstract: "Copies all records from SQLite to PostgreSQL; no user is signed out.",
            discussion: """
                Stop the server that has the file open first: the file is locked while it is copied, and not changed. \
                The database must be empty, or hold a partial copy: if the command is interrupted, run it again, and it \
                continues where it stopped. No server starts on a partial copy.

                At the end all rows are read again on both sides and compared; the number of rows and the SHA-256 of \
                each table are printed. Then configure the database as the servers' `store`, with the same apps, \
                encryption_key and secrets: sealed and signed data was not changed.

                Other users of the machine can read a password among the arguments: leave it out and pass it as \
                PGPASSWORD, or in ~/.pgpass.

                Example:
                  ostiary store copy --from sqlite:ostiary.db --to 'postgres://ostiary@db.example.com/ostiary?sslmode=verify-full'
                """)

        @Option(help: ArgumentHelp("The file to copy.", valueName: "sqlite:path")) var from: String

        @Option(help: ArgumentHelp("The database to fill.", valueName: "postgres://…")) var to: String

        @Flag(help: "Print the result of the comparison as JSON.") var json = false

        func validate() throws {
            guard from.hasPrefix("sqlite:") else { throw ValidationError("--from needs sqlite:PATH") }
            guard to.hasPrefix("postgres://") || to.hasPrefix("postgresql://") else {
                throw ValidationError("--to needs postgres://user@host/dbname")
            }
        }

        func run() async throws {
            let (from, to, json) = (from, to, json)
            try await StoreOptions.exiting {
                let (path, settings) = try Self.places(from: from, to: to)
                let tables = try await cancelledWhenInterrupted {
                    let copy = try await StoreCopy(
                        from: path, to: settings, system: .system, log: .forCommands)
                    let progress = CopyProgress()
                    do {
                        let tables = try await copy.run { progress.show($0) }
                        progress.clear()
                        try await copy.close()
                        return tables
                    } catch {
                        progress.clear()
                        try? await copy.close()
                        throw error
                    }
                }
                try Self.show(tables, json: json)
            }
        }

        private static func places(from: String, to: String) throws -> (String, PostgresSettings) {
            guard case .sqlite(let path) = try StoreLocation(from, option: "--from"),
                case .postgres(let url) = try StoreLocation(to, option: "--to")
            else { throw ExitCode.validationFailure }
            do { return (path, try PostgresSettings(url: url.reveal())) } catch {
                throw ConfigurationProblem(place: .option("--to"), key: "", need: error.description)
            }
        }

        private static func show(_ tables: [StoreCopy.Verified], json: Bool) throws {
            if json {
                var list = JSONList()
                try list.write(tables.map { Line(table: $0.table, rows: $0.rows, sha256: $0.checksum) })
                try list.end()
            } else {
                var table = Table("TABLE", "ROWS", "SHA-256, THE SAME IN BOTH")
                try StandardOutput.write(table.lines(tables.map { [$0.table, String($0.rows), $0.checksum] }))
                printError(
                    "copied \(tables.reduce(0) { $0 + $1.rows }.counting("row")); encryption_key and secrets stay as they are"
                )
            }
        }

        private struct Line: Encodable {
            var table: String
            var rows: Int
            var sha256: String
        }
    }
}
