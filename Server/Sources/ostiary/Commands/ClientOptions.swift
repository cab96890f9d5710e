import ArgumentParser
import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore

/// Which server the client commands speak to, and in which contract.
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

    private static var directory: String {
        let environment = ProcessInfo.processInfo.environment
        return FileTokenStore.defaultDirectory(
            environment: environment, homeDirectory: environment["HOME"] ?? NSHomeDirectory())
    }

    /// The session of the server that was named, or of the last login.
    ///
    /// - Throws: Exit status 64 after one line where nothing says which.
    func session() throws -> SavedSession {
        let directory = Self.directory
        let last = LastLogin(directory: directory)
        guard let server = server ?? last.server, let name = contract ?? last.contract else {
            throw ValidationError("--server and --contract are needed before the first login")
        }
        do {
            let base = try BaseURL(server)
            let contract = try Contract.preset(name) ?? Contract.read(file: name)
            let auth = try RemoteAuth(contract: contract, baseURL: base, transport: URLSessionTransport())
            let store = FileTokenStore(directory: directory, contract: contract.name, baseURL: base)
            return SavedSession(auth: auth, store: store)
        } catch {
            printError("\(error)")
            throw ExitCode.failure
        }
    }

    /// Remembers what was named, for the commands after this one.
    func remember() {
        guard let server, let contract else { return }
        let isFile = Contract.preset(contract) == nil
        LastLogin(server: server, contract: isFile ? URL(fileURLWithPath: contract).path : contract).write(
            to: Self.directory)
    }
}

/// The server and contract of the last login. A convenience: without it they have to be named.
private struct LastLogin: Codable {
    var server: String?
    var contract: String?

    init(server: String, contract: String) {
        self.server = server
        self.contract = contract
    }

    init(directory: String) {
        guard let data = FileManager.default.contents(atPath: Self.path(directory)),
            let last = try? JSONDecoder().decode(LastLogin.self, from: data)
        else { return }
        self = last
    }

    func write(to directory: String) {
        guard let data = try? JSONEncoder().encode(self) else { return }
        // The login itself has succeeded; not remembering where costs the person two options.
        try? data.write(to: URL(fileURLWithPath: Self.path(directory)), options: .atomic)
    }

    private static func path(_ directory: String) -> String { "\(directory)/last-login.json" }
}

/// Says in one line why a client command failed.
///
/// - Returns: Exit status 1.
func report(_ failure: SessionFailure, of session: SavedSession) -> ExitCode {
    switch failure {
    case .notSignedIn: printError("nobody is signed in: ostiary login")
    case .ended(let error): printError("the session has ended: \(session.text(of: error)) Sign in again: ostiary login")
    case .refused(let error): printError(session.text(of: error))
    case .unreachable(let error): printError(error.description)
    case .store(let problem): printError(problem.description)
    }
    return .failure
}
