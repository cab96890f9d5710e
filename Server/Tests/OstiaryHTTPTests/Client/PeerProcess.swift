import Foundation
import Synchronization

/// An app in a process of its own: `session-peer`, built beside the tests. Ends when this value goes away, and when the test
/// process does, since its input ends then.
final class PeerProcess: Sendable {
    /// The process ended without an answer.
    struct Ended: Error {}

    private struct Answers {
        var unread: [String] = []
        var part = ""
        var hasEnded = false
        var waiter: CheckedContinuation<String?, Never>?

        /// What the waiter gets, if there is one and something to get.
        mutating func take() -> (CheckedContinuation<String?, Never>, String?)? {
            guard let waiter, hasEnded || !unread.isEmpty else { return nil }
            self.waiter = nil
            return (waiter, unread.isEmpty ? nil : unread.removeFirst())
        }
    }

    private let process = Process()
    private let input = Pipe()
    private let answers = Mutex(Answers())

    init(contract: String, baseURL: String, directory: String) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "session-peer")
        process.arguments = [contract, baseURL, directory]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // Not a handler of the file: Dispatch crashes now and then where one is closed under it.
        let handle = output.fileHandleForReading
        Thread.detachNewThread { [weak self] in
            var data = Data()
            repeat {
                data = handle.availableData
                self?.receive(data)
            } while !data.isEmpty
        }
    }

    deinit {
        try? input.fileHandleForWriting.close()
        if process.isRunning { process.terminate() }
    }

    private func receive(_ data: Data) {
        let ready = answers.withLock { answers in
            if data.isEmpty { answers.hasEnded = true }
            var lines = (answers.part + String(decoding: data, as: UTF8.self)).components(separatedBy: "\n")
            answers.part = lines.removeLast()
            answers.unread += lines
            return answers.take()
        }
        if let (waiter, line) = ready { waiter.resume(returning: line) }
    }

    func tell(_ command: String) throws { try input.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8)) }

    /// One command, and its answer.
    func ask(_ command: String) async throws -> String {
        try tell(command)
        let line = await withCheckedContinuation { continuation in
            let ready = answers.withLock { answers in
                answers.waiter = continuation
                return answers.take()
            }
            if let (waiter, line) = ready { waiter.resume(returning: line) }
        }
        guard let line else { throw Ended() }
        return line
    }

    /// Ends it as the system does with one that takes too much: without a word to it.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
