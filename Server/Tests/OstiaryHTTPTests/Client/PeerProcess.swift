import Foundation
import OstiaryTestSupport

/// An app in a separate process: `session-peer`, built beside the tests. Ends when this value is released, and when the
/// test process ends, since its input ends then.
final class PeerProcess: Sendable {
    /// The process ended without an answer.
    struct Ended: Error {}

    private let process: ChildProcess

    init(contract: String, baseURL: String, directory: String) throws {
        let programs = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        process = try ChildProcess(
            programs.appending(path: "session-peer").path(percentEncoded: false), [contract, baseURL, directory])
    }

    func tell(_ command: String) throws { try process.write(command) }

    /// Sends one command and returns its answer.
    func ask(_ command: String) async throws -> String {
        try tell(command)
        guard let line = await process.nextLine() else { throw Ended() }
        return line
    }

    /// Kills the process, as the system does with one that uses too many resources, without a warning. Returns when it
    /// has ended.
    func kill() async {
        process.kill()
        _ = await process.ended()
    }
}
