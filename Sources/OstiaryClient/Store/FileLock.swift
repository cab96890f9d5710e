import Foundation
import Synchronization

/// An advisory lock on a file, between processes and within one. The system releases it when its process dies.
final class FileLock: Sendable {
    private let descriptor: Mutex<CInt?>

    /// Waits for the lock on an open file, and takes ownership of the descriptor.
    ///
    /// Polls with a non-blocking call, because a blocking one would occupy a thread of Swift's cooperative pool.
    ///
    /// - Throws: ``StoreProblem/busy`` after `wait`, or when the task is cancelled.
    init(_ descriptor: CInt, path: String, wait: Duration) async throws(StoreProblem) {
        self.descriptor = Mutex(descriptor)
        let end = ContinuousClock.now + wait
        var pause: Duration = .milliseconds(1)
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw .system(path: path, code: errno) }
            guard ContinuousClock.now < end, (try? await Task.sleep(for: pause)) != nil else { throw .busy }
            pause = min(pause * 2, .milliseconds(20))
        }
    }

    var isHeld: Bool { descriptor.withLock { $0 != nil } }

    func unlock() {
        guard let open = descriptor.withLock({ $0.take() }) else { return }
        // Closing is not enough: a child process that is being spawned shares the lock until it executes its program.
        flock(open, LOCK_UN)
        close(open)
    }

    deinit { unlock() }
}

extension FileLock: RefreshLease {
    func end() { unlock() }
}
