import Foundation

/// A Python program beside the test: another process to contend or to speak with.
final class PythonProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(_ program: String, _ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", program] + arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit { process.terminate() }

    /// Waits for the program's next line, without its end.
    func readLine() throws -> String {
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0A { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }

    /// Ends the program's standard input.
    func finish() throws { try input.fileHandleForWriting.close() }

    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }
}
