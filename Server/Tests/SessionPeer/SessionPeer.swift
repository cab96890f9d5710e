import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryServerTestSupport
import OstiaryTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An app in a separate process, for tests with more than one process.
///
/// Started with a contract's name, a base URL and a directory. Reads one command a line and answers each with one line:
/// `advance SECONDS` moves its clock, `ask PATH` sends a request as the signed-in user, `state` prints the signed-in
/// user.
@main
struct SessionPeer {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let contract = Contract.preset(arguments[1]), let url = URL(string: arguments[2])
        else { exit(64) }
        let base = try BaseURL(arguments[2])
        let clock = TestClock()
        var system = clock.system
        // Real timers, which the test's clock does not fire: no token is refreshed before a request needs it.
        system.sleep = ClientDependencies.system.sleep
        let client = try AuthClient(
            contract: contract, baseURL: url,
            options: ClientOptions(
                store: FileSessionStore(
                    directory: arguments[3], contract: contract.name, baseURL: base,
                    keys: .keyFile(directory: arguments[3])),
                transport: .custom(PatientTransport()), system: system, verifiesAtStart: false))
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            switch words.first {
            case "advance":
                clock.advance(by: .seconds(Int(words.last ?? "") ?? 0))
                say("done")
            case "ask":
                do throws(ClientError) {
                    guard let url = URL(string: base.text + (words.last ?? "")) else { exit(64) }
                    let (_, response) = try await client.data(for: URLRequest(url: url))
                    say("\(response.statusCode)")
                } catch {
                    say(error.name)
                }
            default: say(client.isAuthenticated ? "signed in" : "signed out")
            }
        }
    }
}

/// Writes without buffering, since the other process waits for the answer. Ends the process if its output is closed.
private func say(_ text: String) {
    do { try FileHandle.standardOutput.write(contentsOf: Data("\(text)\n".utf8)) } catch { exit(74) }
}
