import ArgumentParser
import Foundation
import OstiaryCore
import OstiaryEngine

extension Users {
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Writes all accounts of an app with their password hashes, one JSON object a line.",
            discussion: """
                The file is readable only by its owner, appears when it is complete, and replaces no existing file.

                With --factors each account carries its second factors and recovery codes, sealed with a passphrase. A \
                terminal is asked for it; it is never an argument. Without --factors an account has none after the \
                import, and its password alone signs in.

                With --server the accounts have neither password hashes nor second factors, which the admin API does not give.

                Example:
                  ostiary users export --app vici --output accounts.jsonl
                  ostiary users export --app vici --output accounts.jsonl --factors
                """)

        @OptionGroup var options: AppOptions

        @Option(help: ArgumentHelp("Write to this file instead of standard output.", valueName: "file"))
        var output: String?

        @Flag(help: "Export the second factors too, sealed with a passphrase.") var factors = false

        @Flag(help: "Leave the password hashes out. Needed with --server: the admin API does not give them.")
        var withoutPasswords = false

        @OptionGroup var passphrase: PassphraseOptions

        func validate() throws {
            guard factors || !passphrase.isGiven else { throw ValidationError("A passphrase is for --factors.") }
        }

        func run() async throws {
            let (app, output, factors) = (options.app, output, factors)
            let (options, passphrase, withPasswords) = (options, passphrase, !withoutPasswords)
            try await StoreOptions.exiting {
                try requireExportable()
                let seal = try await blocking { factors ? try Self.newSeal(passphrase.readNew()) : nil }
                // Encloses everything, so that an interrupted export removes its incomplete file.
                let count = try await cancelledWhenInterrupted {
                    let file = try output.map { try PrivateFile(path: $0) }
                    let count = try await options.administer { control in
                        try await Self.export(
                            app, from: control, factors: seal.map { SealKey($0) }, withPasswords: withPasswords,
                            to: file)
                    }
                    try file?.publish()
                    return count
                }
                printError("exported \(count)")
            }
        }

        /// - Throws: ``AdministrationProblem`` for what a server on another machine does not give.
        private func requireExportable() throws(AdministrationProblem) {
            guard options.remote.server != nil else { return }
            guard !factors else {
                throw AdministrationProblem("factors are exported on the server's own machine, without --server")
            }
            guard withoutPasswords else {
                throw AdministrationProblem(
                    "--server gives no password hashes: export on the server's own machine, or add --without-passwords")
            }
        }

        private static func newSeal(_ passphrase: Secret<String>) throws(AdministrationProblem) -> FactorSeal {
            try FactorSeal(
                passphrase: passphrase, salt: SystemDependencies.system.randomBytes(FactorSeal.saltBytes))
        }

        private static func export(
            _ app: String, from control: any Control, factors key: SealKey?, withPasswords: Bool, to file: PrivateFile?
        ) async throws -> Int {
            var progress = ProgressLine("exported", isShown: file != nil || !StandardOutput.isTerminal)
            defer { progress.clear() }
            var count = 0
            var position: Int?
            repeat {
                try Task.checkCancellation()
                guard
                    case .accounts(var page, let next) = try await control.perform(
                        .exportAccounts(after: position, factors: key), app: app)
                else { throw ControlReply.unexpected }
                if !withPasswords { for index in page.indices { page[index].passwordHash = nil } }
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
