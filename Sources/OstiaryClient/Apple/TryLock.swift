#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
import Synchronization

/// A non-blocking mutual exclusion: one caller at a time, and the others are rejected at once.
final class TryLock: Sendable {
    private let isTaken = Mutex(false)

    /// Tries to acquire the lock.
    ///
    /// - Returns: `false` if another caller holds it.
    func take() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }

    func giveBack() { isTaken.withLock { $0 = false } }
}
#endif
