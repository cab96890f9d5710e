package import OstiaryEngine
import Synchronization

/// Counts messages by channel and outcome since the start of the process, for metrics.
package final class DeliveryCounts: Sendable {
    package struct Key: Hashable, Sendable {
        package var channel: String
        package var outcome: MessageOutcome
    }

    private let state = Mutex<[Key: Int]>([:])

    package init() {}

    package var counts: [Key: Int] { state.withLock { $0 } }

    func add(channel: String, _ outcome: MessageOutcome) {
        state.withLock { $0[Key(channel: channel, outcome: outcome), default: 0] += 1 }
    }
}
