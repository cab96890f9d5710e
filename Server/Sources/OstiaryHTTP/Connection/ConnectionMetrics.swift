import OstiaryEngine
import Synchronization

/// Counts connection events for `/metrics`.
package final class ConnectionMetrics: Sendable {
    /// The deadlines that a connection can miss.
    package enum Deadline: String, CaseIterable, Hashable, Sendable {
        case header, body, idle, write
    }

    /// The counts at one moment.
    package struct Counts: Hashable, Sendable {
        /// Connections open now; all others count from the start of the server.
        package var open = 0
        package var accepted = 0
        /// Connections closed at once because the total limit was reached.
        package var overCapacity = 0
        /// Connections closed at once because their network's share was reached.
        package var overNetworkShare = 0
        /// Connections that ended with a transport or TLS error, mostly failed handshakes.
        package var failed = 0
        package var refused: [RequestRefusal.Kind: Int] = [:]
        package var timedOut: [Deadline: Int] = [:]

        package init() {}
    }

    private struct State {
        var counts = Counts()
        var networks = NetworkShares()
    }

    private let current = Mutex(State())

    package init() {}

    package var counts: Counts { current.withLock { $0.counts } }

    /// Reserves a place among at most `capacity` open connections, and among at most `share` of its network.
    ///
    /// - Parameter network: Nil where the share does not apply.
    /// - Returns: `false` if there is none.
    func admit(capacity: Int, network: IPAddress? = nil, share: Int = .max) -> Bool {
        current.withLock { state in
            guard state.counts.open < capacity else {
                state.counts.overCapacity += 1
                return false
            }
            if let network, !state.networks.admit(network, share: share) {
                state.counts.overNetworkShare += 1
                return false
            }
            state.counts.open += 1
            state.counts.accepted += 1
            return true
        }
    }

    func release(network: IPAddress? = nil) {
        current.withLock { state in
            state.counts.open -= 1
            if let network { state.networks.release(network) }
        }
    }

    func countFailure() { current.withLock { $0.counts.failed += 1 } }
    func count(_ kind: RequestRefusal.Kind) { current.withLock { $0.counts.refused[kind, default: 0] += 1 } }
    func count(_ deadline: Deadline) { current.withLock { $0.counts.timedOut[deadline, default: 0] += 1 } }
}
