import ArgumentParser
import Foundation
import OstiaryEngine

extension Users {
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Writes all accounts of an app with their password hashes, one JSON object a line.",
            discussion: """
                The file is readable only by its owner, appears when it is complete, and replaces no existing file.

                Example:
                  ostiary users export --app vici --output accounts.jsonl
                """)

        @OptionGroup var options: AppOptions

        @Option(help: ArgumentHelp("Write to this file instead of standard output.", valueName: "file"))
        var output: String?

        func run() async throws {
            let (app, output) = (options.app, output)
            let options = options
            try await StoreOptions.exiting {
                // Encloses everything, so that an interrupted export removes its incomplete file.
                let count = try await cancelledWhenInterrupted {
                    let file = try output.map { try PrivateFile(path: $0) }
                    let count = try await options.administer { control in
                        try await Self.export(app, from: control, to: file)
                    }
                    try file?.publish()
                    return count
                }
                printError("exported \(count)")
            }
        }

        private static func export(_ app: String, from control: any Control, to file: PrivateFile?) async throws -> Int
        {
            var progress = ProgressLine("exported", isShown: file != nil || !StandardOutput.isTerminal)
            defer { progress.clear() }
            var count = 0
            var position: Int?
            repeat {
                try Task.checkCancellation()
                guard
                    case .accounts(let page, let next) = try await control.perform(
                        .exportAccounts(after: position), app: app)
                else { throw ControlReply.unexpected }
                let lines = try page.map { try JSONList.line($0) + "\n" }.joined()
                if let file { try file.write(lines) } else { try writeOut(lines) }
                count += page.count
                progress.show(count, part: nil)
                position = next
            } while position != nil
            return count
        }

        private static func writeOut(_ lines: String) throws {
            do { try StandardOutput.write(lines) } catch is StandardOutput.Closed {
                throw AdministrationProblem("standard output was closed before all accounts were written")
            }
        }
    }
}
