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
        /// Connections that broke off with a transport or TLS error, a failed handshake above all.
        public var failed = 0
        public var refused: [RequestRefusal.Kind: Int] = [:]
        public var timedOut: [Deadline: Int] = [:]

        public init() {}
    }

    private let current = Mutex(Counts())

    public init() {}

    public var counts: Counts { current.withLock { $0 } }

    /// Takes a place among at most `capacity` open connections; false if there is none.
    func admit(capacity: Int) -> Bool {
        current.withLock { counts in
            guard counts.open < capacity else {
                counts.overCapacity += 1
                return false
            }
            counts.open += 1
            counts.accepted += 1
            return true
        }
    }

    func release() { current.withLock { $0.open -= 1 } }
    func countFailure() { current.withLock { $0.failed += 1 } }
    func count(_ kind: RequestRefusal.Kind) { current.withLock { $0.refused[kind, default: 0] += 1 } }
    func count(_ deadline: Deadline) { current.withLock { $0.timedOut[deadline, default: 0] += 1 } }
}
