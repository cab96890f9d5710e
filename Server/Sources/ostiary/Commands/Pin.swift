import ArgumentParser
import Foundation
import OstiaryClient
import OstiaryNIO

/// The command `ostiary pin`.
struct Pin: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin", abstract: "Prints the pins of a server's certificates, its own first.",
        discussion: """
            The chain is validated first and then listed to its root. If it does not validate, the certificates that \
            the server presented are listed, mostly without the root, and the exit status is 1: an attacker on the \
            network can present them too.

            An app needs at least two pins, for example the key in use and a backup key, or the keys of two authorities.

            Example:
              ostiary pin auth.example.com
              ostiary pin localhost:8443 --ca root.pem --json
            """)

    @Argument(help: ArgumentHelp("The server; [ADDRESS]:PORT for IPv6.", valueName: "host[:port]")) var server: String

    @Option(help: ArgumentHelp("Trust these roots, in PEM, instead of the system's.", valueName: "file")) var ca:
        String?
    @Option(help: ArgumentHelp("The time limit, from 1 to 300.", valueName: "seconds")) var timeout = 10
    @Flag(help: "Print a JSON array, one certificate a line.") var json = false

    func validate() throws {
        _ = try address()
        guard (1...300).contains(timeout) else { throw ValidationError("--timeout is from 1 to 300") }
    }

    func run() async throws {
        let address = try address()
        let roots = try roots()
        let found: ServerCertificates
        do {
            found = try await .shown(by: address, roots: roots, within: .seconds(timeout))
        } catch {
            printError(
                "\(server): \(error == .untrusted ? "It presents no certificate by TLS 1.2 or later." : "\(error)")")
            throw ExitCode.failure
        }
        try show(found)
        guard let problem = found.problem else { return }
        printError("\(server): not validated, listed as presented: \(TerminalText.escaped(problem))")
        throw ExitCode.failure
    }

    private func address() throws -> BaseURL {
        guard !server.contains("/"), let address = try? BaseURL("https://\(server)") else {
            throw ValidationError("the server is HOST, HOST:PORT or [ADDRESS]:PORT")
        }
        return address
    }

    /// - Throws: Exit status 1 after one line that says what is wrong with the file.
    private func roots() throws -> TrustRoots {
        guard let ca else { return .system }
        do { return try TrustRoots(pem: Data(contentsOf: URL(fileURLWithPath: ca))) } catch {
            printError("\(ca): \((error as? TrustRootsProblem)?.description ?? "cannot be read")")
            throw ExitCode.failure
        }
    }

    private struct Row: Encodable {
        let pin: String
        let subject: String
        let expires: Date
        let validated: Bool
    }

    private func show(_ found: ServerCertificates) throws {
        guard json else {
            var table = Table("PIN", "EXPIRES", "SUBJECT")
            return try StandardOutput.write(
                table.lines(found.certificates.map { ["\($0.pin)", $0.expires.text, $0.subject] }))
        }
        var list = JSONList()
        try list.write(
            found.certificates.map {
                Row(
                    pin: "\($0.pin)", subject: $0.subject, expires: $0.expires, validated: found.problem == nil)
            })
        try list.end()
    }
}
