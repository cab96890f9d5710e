#if os(Linux)
import Foundation

/// One run of another program that reads a small input and writes a small output.
struct ProgramRun {
    let output: [UInt8]
    let hasSucceeded: Bool

    private static let maximumOutput = 1 << 16

    /// Returns the path of a program by the environment's `PATH`, ignoring relative directories; `nil` if it is not
    /// found.
    static func find(_ name: String, in environment: [String: String]) -> String? {
        (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").filter { $0.hasPrefix("/") }
            .map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// Runs the program and waits for its end, without blocking a thread.
    ///
    /// - Parameters:
    ///   - path: An absolute path.
    ///   - arguments: The arguments after the program's name.
    ///   - input: The standard input, at most 4,096 bytes.
    ///   - environment: The complete environment of the program.
    ///   - deadline: The time limit of the run.
    /// - Returns: `nil` if the program cannot be started, or if it is killed: when it is still running after more than
    ///   64 KiB of output, after the deadline, or after the task's cancellation.
    init?(
        _ path: String, _ arguments: [String], input: [UInt8], environment: [String: String], within deadline: Duration
    ) async {
        let end = ContinuousClock.now + deadline
        guard let line = SocketPair(), line.send(input),
            let process = Self.start(path, arguments, environment, at: line)
        else { return nil }
        var output: [UInt8] = []
        while true {
            // Polled before the last read, so that nothing written before the end is missed.
            let status = Self.status(of: process)
            line.receive(into: &output)
            if let status {
                self.output = output
                hasSucceeded = status == 0
                return
            }
            guard output.count <= Self.maximumOutput, ContinuousClock.now < end,
                (try? await Task.sleep(for: .milliseconds(2))) != nil
            else { break }
        }
        kill(process, SIGKILL)
        // In an unstructured task, which the caller's cancellation does not reach.
        await Task { while Self.status(of: process) == nil { try? await Task.sleep(for: .milliseconds(2)) } }.value
        return nil
    }

    /// Returns the wait status of the process; `nil` while it runs.
    private static func status(of process: pid_t) -> CInt? {
        var status: CInt = 0
        switch waitpid(process, &status, WNOHANG) {
        case 0: return nil
        case process: return status
        default: return errno == EINTR ? nil : -1
        }
    }

    private static func start(
        _ path: String, _ arguments: [String], _ environment: [String: String], at line: borrowing SocketPair
    ) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, line.far, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, line.far, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        // The calling thread may have signals blocked, and the program would inherit the mask.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var process: pid_t = 0
        let code = withCStrings([path] + arguments) { arguments in
            withCStrings(environment.map { "\($0)=\($1)" }) { environment in
                posix_spawn(&process, path, &actions, &attributes, arguments, environment)
            }
        }
        return code == 0 ? process : nil
    }
}

/// A connected pair of sockets: the program reads what this process sends, and this process receives what the program
/// writes. Closed with the value. Close-on-exec, so that no other child process inherits it; unlike `pipe`,
/// `socketpair` sets the flag atomically.
private struct SocketPair: ~Copyable {
    private let near: CInt
    let far: CInt

    init?() {
        let type = number(SOCK_STREAM) | number(SOCK_CLOEXEC)
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
        near = ends[0]
        far = ends[1]
    }

    deinit {
        close(near)
        close(far)
    }

    /// Sends the complete input and closes the sending direction. While this process holds both ends, a few kilobytes
    /// neither block nor raise `SIGPIPE`.
    ///
    /// - Returns: `false` if the input is longer than 4,096 bytes or was not written completely.
    func send(_ bytes: [UInt8]) -> Bool {
        bytes.count <= 4096 && write(near, bytes, bytes.count) == bytes.count && shutdown(near, CInt(SHUT_WR)) == 0
    }

    /// Receives the bytes that are available, without waiting.
    func receive(into output: inout [UInt8]) {
        var state = pollfd(fd: near, events: Int16(POLLIN), revents: 0)
        var chunk = [UInt8](repeating: 0, count: 4096)
        while poll(&state, 1, 0) == 1 {
            let count = read(near, &chunk, chunk.count)
            guard count > 0 else { return }
            output += chunk[..<count]
        }
    }
}

/// Calls a closure with the strings as a C array of pointers, terminated by a null pointer.
private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    let pointers = strings.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers)
}

/// Returns the value of a constant that glibc declares as an enumeration and Musl as an integer.
private func number<Constant: BitwiseCopyable>(_ constant: Constant) -> CInt {
    withUnsafeBytes(of: constant) { $0.loadUnaligned(as: CInt.self) }
}
#endif
