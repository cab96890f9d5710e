import ArgumentParser
import Foundation
import OstiaryAdmin
import OstiaryEngine
import OstiaryNIO

/// The option that names a server on another machine, which the command administers through its admin API.
struct RemoteOptions: ParsableArguments {
    /// The environment variable with the service key.
    static let keyVariable = "OSTIARY_ADMIN_KEY"
    private static let maximumBodyBytes = 16 << 20

    @Option(
        help: ArgumentHelp(
            """
            The URL of a server's admin listener, for example https://admin.example.com: the command uses its admin API, \
            with the service key in \(RemoteOptions.keyVariable). Default: the server on the data directory.
            """, valueName: "url"))
    var server: String?

    /// Returns the server that ``server`` names; nil without it.
    ///
    /// - Throws: ``AdministrationProblem`` for a URL or a key that cannot be used.
    func control() throws -> RemoteControl? {
        guard let server else { return nil }
        guard let key = ProcessInfo.processInfo.environment[Self.keyVariable], !key.isEmpty else {
            throw AdministrationProblem("--server needs a service key in \(Self.keyVariable)")
        }
        guard let url = URL(string: server) else { throw AdministrationProblem("--server: not a URL") }
        do {
            // Not URLSession: on Linux, Foundation terminates the process on some responses.
            let transport = try NIOTransport(maximumBodyBytes: Self.maximumBodyBytes)
            return RemoteControl(
                try AdminClient(baseURL: url, key: Secret(key), transport: transport), key: Secret(key))
        } catch AdminError.invalidKey {
            throw AdministrationProblem("\(Self.keyVariable): not a service key")
        } catch AdminError.invalidURL(let problem) {
            throw AdministrationProblem("--server: \(problem)")
        }
    }
}
