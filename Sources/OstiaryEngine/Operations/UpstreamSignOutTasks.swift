import Synchronization

/// Notifies an external credential provider of sessions that ended, in the background.
///
/// Bounded: each notification takes as long as a credential provider may take for a response, and where too many are
/// pending the next is dropped. The session has ended here in any case.
final class UpstreamSignOutTasks: Sendable {
    private let underway = Mutex(0)
    private static let capacity = 64

    func say(_ signOut: @escaping @Sendable () async -> Void) {
        let isTaken = underway.withLock { underway in
            guard underway < Self.capacity else { return false }
            underway += 1
            return true
        }
        guard isTaken else { return }
        Task {
            await signOut()
            underway.withLock { $0 -= 1 }
        }
    }
}
