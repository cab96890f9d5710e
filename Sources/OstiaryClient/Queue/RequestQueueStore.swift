import Synchronization

/// Where queued requests are kept, for an app and for every process that shares the store.
public protocol RequestQueueStore: Sendable {
    /// - Throws: Where nobody can tell what waits. Nothing may be concluded from that.
    func read() async throws(StoreProblem) -> SavedQueue
    /// Reads, lets `change` have its way, and writes the outcome durably and as a whole, all while no other process does.
    ///
    /// A value left as it was is not written.
    ///
    /// - Throws: The problem, if it cannot be read or written; nothing has changed then.
    func change<Result: Sendable>(
        _ change: @Sendable (inout SavedQueue) -> Result
    ) async throws(StoreProblem) -> Result
    /// The right to send, which one process has at a time: two would overtake each other.
    ///
    /// - Throws: ``StoreProblem/busy`` at once where another has it.
    func sendingTurn() async throws(StoreProblem) -> any SendingTurn
}

/// The right to send. Ends by itself when nobody holds it any more.
public protocol SendingTurn: Sendable {
    func end()
}

/// Keeps queued requests for as long as the process lives.
public final class MemoryRequestQueueStore: RequestQueueStore {
    private let saved: Mutex<SavedQueue>
    private let isSending = Mutex(false)

    public init(_ saved: SavedQueue = .empty) { self.saved = Mutex(saved) }

    public func read() async -> SavedQueue { saved.withLock { $0 } }

    public func change<Result: Sendable>(
        _ change: @Sendable (inout SavedQueue) -> Result
    ) async throws(StoreProblem) -> Result {
        saved.withLock { change(&$0) }
    }

    public func sendingTurn() async throws(StoreProblem) -> any SendingTurn {
        let isFree = isSending.withLock { isSending in
            defer { isSending = true }
            return !isSending
        }
        guard isFree else { throw .busy }
        return Turn(of: self)
    }

    private final class Turn: SendingTurn {
        private let store: Mutex<MemoryRequestQueueStore?>
        init(of store: MemoryRequestQueueStore) { self.store = Mutex(store) }
        func end() { store.withLock { $0.take() }?.isSending.withLock { $0 = false } }
        deinit { end() }
    }
}
