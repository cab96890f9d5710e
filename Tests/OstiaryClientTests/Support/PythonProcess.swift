/// A Python program beside the test: another process to contend or to speak with.
///
/// The program ends when its standard input does, and so with the test process at the latest.
final class PythonProcess: Sendable {
    private let process: ChildProcess

    init(_ program: String, _ arguments: [String]) throws {
        let untilInputEnds = """
            import os, sys, threading
            threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()

            """
        process = try ChildProcess("python3", ["-c", untilInputEnds + program] + arguments, isQuiet: true)
    }

    /// Waits for the program's next line, without its end.
    func readLine() throws -> String {
        guard let line = process.readLine() else {
            throw ChildProcess.Failure(description: "the program ended with \(process.finish())")
        }
        return line
    }

    func stop() { process.kill() }
}
