import OstiaryEngine
import Synchronization

/// Counts of what happened to connections, for `/metrics`.
public final class ConnectionMetrics: Sendable {
    /// The limits in time that a connection can run into.
    public enum Deadline: String, CaseIterable, Hashable, Sendable {
        case header, body, idle, write
    }

    /// The counts at one moment.
    public struct Counts: Hashable, Sendable {
        /// Connections open now; all others count from the start of the server.
        public var open = 0
        public var accepted = 0
        /// Connections closed at once because as many as allowed were open.
        public var overCapacity = 0
        /// Connections closed at once because as many as one network may have were open from theirs.
        public var overNetworkShare = 0
        /// Connections that broke off with a transport or TLS error, a failed handshake above all.
        public var failed = 0
        public var refused: [RequestRefusal.Kind: Int] = [:]
        public var timedOut: [Deadline: Int] = [:]

        public init() {}
    }

    private struct State {
        var counts = Counts()
        var networks = NetworkShares()
    }

    private let current = Mutex(State())

    public init() {}

    public var counts: Counts { current.withLock { $0.counts } }

    /// Takes a place among at most `capacity` open connections, and among at most `share` of its network.
    ///
    /// - Parameter network: Nil where the share does not hold.
    /// - Returns: False if there is none.
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
