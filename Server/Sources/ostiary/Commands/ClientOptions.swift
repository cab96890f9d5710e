import ArgumentParser
import Foundation
import OstiaryClient
import OstiaryConfiguration
import OstiaryContracts

/// The options that name the client commands' server and contract.
struct ClientOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The app's base URL, for example https://auth.example.com/vici. Default: that of the last login.",
            valueName: "url"))
    var server: String?

    @Option(
        help: ArgumentHelp(
            "A preset's name, or the path of a JSON file. Default: that of the last login.", valueName: "name"))
    var contract: String?

    @Option(
        name: .customLong("pin"),
        help: ArgumentHelp(
            """
            A key that the server may have, as `ostiary pin` prints it; given twice or more often. Default: those of the \
            last login, where the server is too.
            """, valueName: "sha256/…"))
    var pins: [String] = []

    private static var directory: String {
        let environment = ProcessInfo.processInfo.environment
        return FileSessionStore.defaultDirectory(
            environment: environment, homeDirectory: environment["HOME"] ?? NSHomeDirectory())
    }

    /// Returns a client of the named server, or of the last login's.
    ///
    /// - Parameters:
    ///   - usesUnsaved: See ``CommandTransport``.
    ///   - bindsBrowserSignIns: `true` to bind a sign-in in the browser to this process.
    /// - Throws: Exit status 64 after one line where neither names a server and a contract.
    func client(usesUnsaved: Bool = false, bindsBrowserSignIns: Bool = true) throws -> CommandClient {
        let last = LastLogin(directory: Self.directory)
        guard let url = server ?? last.server, let name = contract ?? last.contract else {
            throw ValidationError("--server and --contract are needed before the first login")
        }
        let known = pins.isEmpty && server == nil ? last.pins ?? [] : pins
        let trusted: PinSet
        do { trusted = known.isEmpty ? .none : try PinSet(known) } catch { throw ValidationError("--pin: \(error)") }
        do {
            let base = try BaseURL(url)
            let contract = try Contract.preset(name) ?? Contract.read(file: name)
            return try CommandClient(
                contract: contract, baseURL: base, pins: trusted, usesUnsaved: usesUnsaved,
                bindsBrowserSignIns: bindsBrowserSignIns)
        } catch {
            printError("\(error)")
            throw ExitCode.failure
        }
    }

    /// Stores the named server and contract for later commands.
    ///
    /// - Throws: Exit status 1 after one line if they cannot be stored: later commands would address the server of the login before.
    func remember() throws {
        guard let server, let contract else { return }
        let isFile = Contract.preset(contract) == nil
        let login = LastLogin(
            server: server, contract: isFile ? URL(fileURLWithPath: contract).path : contract,
            pins: pins.isEmpty ? nil : pins)
        do { try login.write(to: Self.directory) } catch {
            printError(
                "signed in, but \(LastLogin.path(Self.directory)) cannot be written: \(error.localizedDescription) "
                    + "Later commands need --server and --contract.")
            throw ExitCode.failure
        }
    }
}

/// The server, contract and pins of the last login. A convenience: without it each command has to name them.
private struct LastLogin: Codable {
    var server: String?
    var contract: String?
    var pins: [String]?

    init(server: String, contract: String, pins: [String]?) {
        self.server = server
        self.contract = contract
        self.pins = pins
    }

    init(directory: String) {
        guard let data = FileManager.default.contents(atPath: Self.path(directory)),
            let last = try? JSONDecoder().decode(LastLogin.self, from: data)
        else { return }
        self = last
    }

    func write(to directory: String) throws {
        try JSONEncoder().encode(self).write(to: URL(fileURLWithPath: Self.path(directory)), options: .atomic)
    }

    static func path(_ directory: String) -> String { "\(directory)/last-login.json" }
}
