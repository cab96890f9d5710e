import Foundation
import OstiaryEngine

/// Standard output.
enum StandardOutput {
    /// The error of a write after the reader closed the pipe, as `head` does.
    struct Closed: Error {}

    /// - Throws: ``Closed``; ``AdministrationProblem``, for example for a full disk.
    static func write(_ text: String) throws { try write(Array(text.utf8)) }

    static func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EPIPE {
                throw Closed()
            } else if errno != EINTR {
                throw AdministrationProblem("standard output cannot be written: \(String(cString: strerror(errno)))")
            }
        }
    }

    /// `true` if the reader has closed the pipe, which otherwise shows only at the next write.
    static var isClosed: Bool {
        var descriptor = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        return poll(&descriptor, 1, 0) == 1 && descriptor.revents & Int16(POLLERR | POLLHUP) != 0
    }

    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
}
