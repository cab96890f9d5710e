import Foundation

/// A Python program that plays the other end. It ends when this value goes away, and when the test process does.
final class Peer: Sendable {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    let port: Int
    /// The file of the certificate authority, for a peer with TLS.
    let authority: String?
    private let input: FileHandle
    private let lines: Lines

    /// - Parameter script: A file in the folder `Peers`.
    init(_ script: String, _ arguments: String...) async throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Peers")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let python = ProcessInfo.processInfo.environment["OSTIARY_TEST_PYTHON"] ?? "python3"
        process.arguments = [python, folder.appending(path: script).path()] + arguments
        let (stdin, stdout) = (Pipe(), Pipe())
        process.standardInput = stdin
        process.standardOutput = stdout
        input = stdin.fileHandleForWriting
        lines = Lines(stdout.fileHandleForReading)
        try process.run()

        let greeting = try await lines.next()
        if let error = greeting["error"] as? String { throw Failure(description: error) }
        guard let port = greeting["port"] as? Int else { throw Failure(description: "\(script) names no port") }
        self.port = port
        authority = greeting["authority"] as? String
    }

    deinit { try? input.close() }

    /// What the peer got next. Waits for it.
    func next() async throws -> Report { Report(try await lines.next()) }

    /// One line of the peer's, as JSON.
    struct Report: @unchecked Sendable {
        // Made by JSONSerialization of immutable Foundation values, and never changed.
        private let fields: [String: Any]

        init(_ fields: [String: Any]) { self.fields = fields }

        func text(_ name: String) -> String { fields[name] as? String ?? "" }
        func flag(_ name: String) -> Bool? { fields[name] as? Bool }
        func number(_ name: String) -> Int? { fields[name] as? Int }
        func list(_ name: String) -> [String] { fields[name] as? [String] ?? [] }
        func table(_ name: String) -> [String: String] { fields[name] as? [String: String] ?? [:] }
        /// The values of one header.
        func header(_ name: String) -> [String] {
            (fields["headers"] as? [[String]] ?? []).filter { $0.first == name }.compactMap(\.last)
        }
        var headerNames: [String] { (fields["headers"] as? [[String]] ?? []).compactMap(\.first) }
    }
}

/// The lines of a pipe, read on a thread of their own.
private final class Lines: Sendable {
    private let stream: AsyncStream<Data>

    init(_ handle: FileHandle) {
        let (stream, continuation) = AsyncStream<Data>.makeStream()
        self.stream = stream
        let descriptor = handle.fileDescriptor
        Thread.detachNewThread {
            // The handle stays open for as long as this thread reads from it.
            withExtendedLifetime(handle) {
                var rest = Data()
                var buffer = [UInt8](repeating: 0, count: 65536)
                while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
                    rest += buffer[..<count]
                    while let end = rest.firstIndex(of: 0x0A) {
                        continuation.yield(Data(rest[..<end]))
                        rest = Data(rest[rest.index(after: end)...])
                    }
                }
                continuation.finish()
            }
        }
    }

    func next() async throws -> [String: Any] {
        for await line in stream {
            guard let fields = try JSONSerialization.jsonObject(with: line) as? [String: Any] else { continue }
            return fields
        }
        throw Peer.Failure(description: "the peer ended")
    }
}
