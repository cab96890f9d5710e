import OstiaryCore
import Synchronization

/// The first uses that wait to be written down.
final class UsesUnderway: Sendable {
    struct Use: Hashable, Sendable {
        var session: SessionID
        var generation: Int
    }

    private let uses = Mutex<Set<Use>>([])

    /// - Returns: False if this use waits already.
    func begin(_ use: Use) -> Bool { uses.withLock { $0.insert(use).inserted } }

    func end(_ use: Use) { uses.withLock { _ = $0.remove(use) } }
}
