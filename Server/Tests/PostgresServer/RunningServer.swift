import Foundation
import Logging
import OstiaryPostgres

/// The server of `BlackBox/peers/postgres.py`, which goes when its standard input closes: with this process, however it ends.
final class RunningServer: Sendable {
    struct NotInstalled: Error {}

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private struct Greeting: Decodable {
        let port: Int
        let user: String
        let password: String
    }

    static let owner = "tester"

    let port: Int
    let password: String
    private let administration: PostgresPool
    private let input: FileHandle

    init() async throws {
        let (process, input, output) = (Process(), Pipe(), Pipe())
        let python = ProcessInfo.processInfo.environment["OSTIARY_TEST_PYTHON"] ?? "python3"
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "BlackBox/peers/postgres.py")
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [python, script.path(), "serve", "--unsafe", "--set", "max_prepared_transactions=4"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = await Self.firstLine(of: output.fileHandleForReading)
        guard !line.isEmpty else {
            process.waitUntilExit()
            // EX_UNAVAILABLE: it is not installed.
            if process.terminationStatus == 69 { throw NotInstalled() }
            throw Failure(description: "PostgreSQL does not start: exit status \(process.terminationStatus)")
        }
        let greeting = try JSONDecoder().decode(Greeting.self, from: line)
        (port, password, self.input) = (greeting.port, greeting.password, input.fileHandleForWriting)
        administration = PostgresPool(
            try PostgresSettings(
                url: "postgres://\(greeting.user):\(greeting.password)@127.0.0.1:\(greeting.port)/postgres?pool_size=2"),
            log: Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() })
        try await administer("CREATE ROLE \(Self.owner) LOGIN PASSWORD '\(greeting.password)'")
    }

    func administer(_ sql: String) async throws {
        _ = try await administration.write(sql, within: .seconds(60))
    }

    /// Read on a thread of its own, since that waits.
    private static func firstLine(of handle: FileHandle) async -> Data {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var line = Data()
                while line.last != 0x0A, case let data = handle.availableData, !data.isEmpty { line += data }
                continuation.resume(returning: line)
            }
        }
    }
}
