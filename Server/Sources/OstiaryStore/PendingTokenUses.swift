import OstiaryCore
import Synchronization

/// The first uses that wait to be recorded (write-behind).
final class PendingTokenUses: Sendable {
    struct Use: Hashable, Sendable {
        var session: SessionID
        var generation: Int
    }

    private struct State {
        var uses: Set<Use> = []
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: The maximum number of waiting uses; further ones are dropped.
    init(limit: Int = .max) { self.limit = limit }

    /// - Returns: `false` if this use waits already, or the limit is reached.
    func begin(_ use: Use) -> Bool {
        state.withLock { $0.uses.count < limit && $0.uses.insert(use).inserted }
    }

    func end(_ use: Use) {
        let waiting = state.withLock { state in
            state.uses.remove(use)
            guard state.uses.isEmpty else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when none waits.
    func finish() async {
        await withCheckedContinuation { continuation in
            let isEmpty = state.withLock { state in
                if !state.uses.isEmpty { state.waiting.append(continuation) }
                return state.uses.isEmpty
            }
            if isEmpty { continuation.resume() }
        }
    }
}
