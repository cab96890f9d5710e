import Foundation

/// A Python program beside the test: another process to contend or to speak with.
///
/// The program ends when its standard input does, and so with the test process at the latest.
final class PythonProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(_ program: String, _ arguments: [String]) throws {
        let untilInputEnds = """
            import os, sys, threading
            threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()

            """
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", untilInputEnds + program] + arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// Waits for the program's next line, without its end.
    func readLine() throws -> String {
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0A { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }

    func stop() {
        // Closing the input would not do: processes that other tests began meanwhile have inherited it.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
