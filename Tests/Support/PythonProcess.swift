/// A Python program beside the test: another process to compete or communicate with.
///
/// The program ends when its standard input does, and so with the test process at the latest.
public final class PythonProcess: Sendable {
    private let process: ChildProcess

    public init(_ program: String, _ arguments: [String]) throws {
        let untilInputEnds = """
            import os, sys, threading
            threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()

            """
        process = try ChildProcess("python3", ["-c", untilInputEnds + program] + arguments, isQuiet: true)
    }

    /// Returns the program's next line, without its terminator.
    public func nextLine() async throws -> String {
        guard let line = await process.nextLine() else {
            process.closeInput()
            throw ChildProcess.Failure(description: "the program ended with \(await process.ended())")
        }
        return line
    }

    /// Kills the program. Does not wait for its end.
    public func stop() { process.kill() }

    /// Kills the program and returns when it has ended and has released its resources.
    public func stopped() async {
        process.kill()
        _ = await process.ended()
    }
}
