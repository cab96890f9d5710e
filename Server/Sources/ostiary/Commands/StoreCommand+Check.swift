import ArgumentParser
import OstiaryStore

extension StoreCommand {
    /// The command `ostiary store check`.
    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Reads the whole store and reports what is wrong with it.",
            discussion: """
                Checks the pages and indexes of an SQLite file, rows that refer to missing ones, and that the configured \
                keys open every sealed value. The server may be running. Prints counts and remedies, no content. The exit status is 1 if there is a \
                problem.

                Example:
                  ostiary store check
                """)

        @OptionGroup var store: StoreOptions

        @Flag(help: "Print a JSON array, one finding a line.") var json = false

        func run() async throws {
            let json = json
            let isSound = try await store.administer { control in
                guard case .findings(var findings) = try await control.perform(.checkStore, app: nil) else {
                    throw ControlReply.unexpected
                }
                findings += try await SealedValueReport(of: control, reseals: false).findings
                try Self.show(findings, asJSON: json)
                return findings.allSatisfy { $0.severity == .note }
            }
            guard isSound else { throw ExitCode.failure }
        }

        private static func show(_ findings: [StoreFinding], asJSON json: Bool) throws {
            if json {
                var list = JSONList()
                try list.write(findings)
                return try list.end()
            }
            if !findings.isEmpty {
                var table = Table("", "FINDING", "WHERE", "COUNT")
                try StandardOutput.write(
                    table.lines(findings.map { [$0.severity.rawValue, $0.code, $0.subject, String($0.count)] }))
                for remedy in Set(findings.map(\.remedy)).sorted() { printError(remedy) }
            }
            if findings.allSatisfy({ $0.severity == .note }) { printError("the store is sound") }
        }
    }
}
