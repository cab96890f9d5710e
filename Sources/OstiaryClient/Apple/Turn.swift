#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
import Synchronization

/// Lets one through at a time, and turns the others away.
final class Turn: Sendable {
    private let isTaken = Mutex(false)

    /// - Returns: False if somebody has it.
    func take() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }

    func giveBack() { isTaken.withLock { $0 = false } }
}
#endif
