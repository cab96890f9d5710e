import ArgumentParser
import OstiaryDoctor
import OstiaryEngine
import OstiaryIdentities

/// The command `ostiary passwords`.
struct Passwords: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passwords", abstract: "The list of compromised passwords.",
        discussion: """
            Example:
              ostiary passwords prepare-list --from pwned-passwords.txt --output pwned.bin
            """,
        subcommands: [PrepareList.self])

    struct PrepareList: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prepare-list", abstract: "Makes the file of `passwords.compromised.file`.",
            discussion: """
                The source has the SHA-1 hash of a password on each line in ascending order, with or without a count \
                after a colon, as the download of Have I Been Pwned has it. It is read twice. The file takes about 14 \
                bits for each password. It replaces no existing file.

                Example:
                  ostiary passwords prepare-list --from pwned-passwords.txt --output pwned.bin
                """)

        @Option(help: ArgumentHelp("The text with the hashes.", valueName: "file")) var from: String

        @Option(help: ArgumentHelp("The file to write.", valueName: "file")) var output: String

        func run() async throws {
            let (from, output) = (from, output)
            try await StoreOptions.exiting {
                let count = try await blocking {
                    let file = try PrivateFile(path: output)
                    do {
                        let count = try CompromisedPasswordListBuilder(source: from).build { try file.write($0) }
                        try file.publish()
                        return count
                    } catch let problem as CompromisedPasswordListBuilder.Problem {
                        throw AdministrationProblem(problem.description)
                    }
                }
                printError("\(output): \(count.counting("password"))")
            }
        }
    }
}
