import Synchronization

/// Counts reloads of the configuration, for metrics.
final class ReloadCounts: Sendable {
    private let state = Mutex((applied: 0, refused: 0, lastWasRefused: false))

    var applied: Int { state.withLock { $0.applied } }
    var refused: Int { state.withLock { $0.refused } }
    /// `true` if the configuration in use is older than the one that was to replace it.
    var lastWasRefused: Bool { state.withLock { $0.lastWasRefused } }

    func add(isApplied: Bool) {
        state.withLock { state in
            if isApplied { state.applied += 1 } else { state.refused += 1 }
            state.lastWasRefused = !isApplied
        }
    }
}
