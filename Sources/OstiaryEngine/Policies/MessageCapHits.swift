import Synchronization

/// Counts the messages that a cap held back, since the start of the process.
public final class MessageCapHits: Sendable {
    private let state = Mutex<[MessageCap: Int]>([:])

    public init() {}

    func add(_ cap: MessageCap) { state.withLock { $0[cap, default: 0] += 1 } }

    public func count(_ cap: MessageCap) -> Int { state.withLock { $0[cap] ?? 0 } }
}
