import Foundation
import Synchronization

/// An advisory lock on a file, between processes and within one. The system takes it from a process that dies.
final class FileLock: Sendable {
    private let descriptor: Mutex<CInt?>

    /// Waits for the lock on an open file, whose descriptor it takes over.
    ///
    /// Asks again and again, because a call that waits in the kernel would hold up a thread of Swift's pool.
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
        // Closing alone would not do: a process that is being started has the lock as well until it runs its program.
        flock(open, LOCK_UN)
        close(open)
    }

    deinit { unlock() }
}

extension FileLock: RefreshTurn {
    func end() { unlock() }
}
