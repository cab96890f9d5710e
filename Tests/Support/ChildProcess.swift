import Foundation
import Synchronization

/// A child process that the test exchanges lines with. A program that reads its input to the end is ended when this
/// value is released, and when the test process ends.
///
/// Foundation's `Process` is not suitable: on Linux, programs that are started at the same moment inherit the socket by
/// which it detects a program's end. It would wait for the end of all of them, and block a thread of Swift's pool
/// meanwhile.
public final class ChildProcess: Sendable {
    /// The program cannot be started, or no longer be reached.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    private let id: pid_t
    private let socket: Socket
    private let end = End()

    /// - Parameters:
    ///   - program: The program, looked up as by `env`.
    ///   - environment: The environment; nil for this process's.
    ///   - isQuiet: `true` to discard the program's standard error.
    public init(
        _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil, isQuiet: Bool = false
    ) throws {
        let socket = try Socket()
        self.socket = socket
        defer { socket.closeFar() }
        id = try Self.start(
            ["/usr/bin/env", program] + arguments, environment ?? ProcessInfo.processInfo.environment, at: socket,
            isQuiet: isQuiet)
        end.expect(of: id)
    }

    public func write(_ line: String) throws { try socket.send(Array("\(line)\n".utf8)) }

    /// Reads the program's next line, without its terminator. Blocks its thread, which therefore must not be one of
    /// Swift's pool.
    ///
    /// - Returns: Nil if there are no more lines.
    private func readLine() -> String? {
        var line: [UInt8] = []
        while let byte = socket.receive() {
            if byte == 0x0A { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }

    /// Returns the program's next line, without its terminator, read on a separate thread. One call at a time.
    ///
    /// - Returns: Nil if there are no more lines. A cancelled task still reads one line, its last.
    public func nextLine() async -> String? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { continuation.resume(returning: self.readLine()) }
            }
        } onCancel: {
            socket.end()
        }
    }

    /// Sends SIGKILL to the program. Does not wait for its end.
    public func kill() { end.kill(id) }

    /// Closes the program's standard input. Does not wait for its end.
    public func closeInput() { socket.sendEnd() }

    /// Returns the program's exit status, or the negative number of the signal that ended it, once it has ended.
    public func ended() async -> CInt { await end.status() }

    private static func start(
        _ words: [String], _ environment: [String: String], at socket: Socket, isQuiet: Bool
    ) throws -> pid_t {
        #if canImport(Darwin)
        var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?)
        #else
        var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for stream in [STDIN_FILENO, STDOUT_FILENO] { posix_spawn_file_actions_adddup2(&actions, socket.far, stream) }
        #if !canImport(Darwin)
        // Among them are connections of the tests' servers and clients, whose peers would not see them close.
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        for descriptor in 3..<CInt(min(max(3, limit.rlim_cur), 4096)) {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        #endif
        if isQuiet { posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) }
        // The thread that runs this may have blocked signals, and the program would inherit the mask.
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var (arguments, settings) = (words.map { strdup($0) }, environment.map { strdup("\($0)=\($1)") })
        defer { for text in arguments + settings { free(text) } }
        arguments.append(nil)
        settings.append(nil)
        var id: pid_t = 0
        let code = posix_spawn(&id, words[0], &actions, &attributes, arguments, settings)
        guard code == 0 else { throw Failure(description: "\(words[0]) cannot be started: error \(code)") }
        return id
    }
}

/// A connection between two processes. A socket, because on Linux it can be created atomically so that no other child
/// process inherits it, and because a write to an ended process is an error there and not a signal.
private final class Socket: Sendable {
    private let near: CInt
    /// The end that the other process has as its standard input and output.
    let far: CInt

    init() throws {
        var ends: [CInt] = [-1, -1]
        #if canImport(Darwin)
        let made = socketpair(AF_UNIX, SOCK_STREAM, 0, &ends)
        for end in ends where end >= 0 { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        #else
        let made = socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        #endif
        guard made == 0 else { throw ChildProcess.Failure(description: "no sockets: error \(errno)") }
        SocketSignals.suppress(on: ends[0])
        (near, far) = (ends[0], ends[1])
    }

    /// Closes this process's copy of the far end, which the started process keeps.
    func closeFar() { close(far) }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(near, $0.baseAddress, $0.count, SocketSignals.sendFlags)
            }
            guard count >= 0 || errno == EINTR else {
                throw ChildProcess.Failure(description: "the program does not read: error \(errno)")
            }
            rest = rest.dropFirst(max(count, 0))
        }
    }

    func sendEnd() { shutdown(near, CInt(SHUT_WR)) }

    /// Ends both directions.
    func end() { shutdown(near, CInt(SHUT_RDWR)) }

    /// - Returns: Nil at the end of the input.
    func receive() -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let count = recv(near, &byte, 1, 0)
            if count == 1 { return byte }
            guard count < 0, errno == EINTR else { return nil }
        }
    }

    deinit { close(near) }
}

/// The end of a process, awaited by a separate thread, which also reaps the process.
private final class End: Sendable {
    private struct State {
        var status: CInt?
        var waiting: [CheckedContinuation<CInt, Never>] = []
    }

    private let state = Mutex(State())

    func expect(of id: pid_t) {
        Thread.detachNewThread {
            // Does not reap the process yet: until that is done, no other process gets its number.
            var what = siginfo_t()
            while waitid(P_PID, id_t(id), &what, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            let (status, waiting): (CInt, [CheckedContinuation<CInt, Never>]) = self.state.withLock { state in
                var word: CInt = 0
                waitpid(id, &word, 0)
                let status = word & 0x7F == 0 ? (word >> 8) & 0xFF : -(word & 0x7F)
                state.status = status
                defer { state.waiting = [] }
                return (status, state.waiting)
            }
            for continuation in waiting { continuation.resume(returning: status) }
        }
    }

    func kill(_ id: pid_t) {
        state.withLock { if $0.status == nil { _ = Foundation.kill(id, SIGKILL) } }
    }

    func status() async -> CInt {
        await withCheckedContinuation { continuation in
            let status: CInt? = state.withLock { state in
                if state.status == nil { state.waiting.append(continuation) }
                return state.status
            }
            if let status { continuation.resume(returning: status) }
        }
    }
}
