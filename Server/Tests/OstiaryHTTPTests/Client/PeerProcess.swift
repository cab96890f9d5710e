import Foundation
import OstiaryTestSupport

/// An app in a process of its own: `session-peer`, built beside the tests. Ends when this value goes away, and when the test
/// process does, since its input ends then.
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

    /// One command, and its answer.
    func ask(_ command: String) async throws -> String {
        try tell(command)
        guard let line = await process.nextLine() else { throw Ended() }
        return line
    }

    /// Ends it as the system does with one that takes too much: without a word to it. Returns when it has ended.
    func kill() async {
        process.kill()
        _ = await process.ended()
    }
}
