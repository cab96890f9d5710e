import Synchronization

/// Counts the messages that a cap suppressed, since the start of the process.
public final class MessageCapHits: Sendable {
    private let state = Mutex<[MessageCap: Int]>([:])

    /// Creates counters of 0.
    public init() {}

    func add(_ cap: MessageCap) { state.withLock { $0[cap, default: 0] += 1 } }

    /// Returns the number of messages that a cap suppressed.
    public func count(_ cap: MessageCap) -> Int { state.withLock { $0[cap] ?? 0 } }
}
