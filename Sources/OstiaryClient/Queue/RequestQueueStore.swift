import Synchronization

/// A store of queued requests, for an app and every process that shares it.
public protocol RequestQueueStore: Sendable {
    /// Reads the queue.
    ///
    /// - Throws: ``StoreProblem`` if the content cannot be determined. The caller must not treat that as an empty
    ///   queue.
    func read() async throws(StoreProblem) -> SavedQueue
    /// Reads the queue, applies `change`, and writes the result durably and atomically, excluding all other processes.
    ///
    /// An unchanged value is not written.
    ///
    /// - Throws: ``StoreProblem`` if it cannot be read or written; nothing has changed then.
    func change<Result: Sendable>(
        _ change: @Sendable (inout SavedQueue) -> Result
    ) async throws(StoreProblem) -> Result
    /// Acquires the exclusive right to send, which one process has at a time, so that requests stay in order.
    ///
    /// - Throws: ``StoreProblem/busy`` immediately if another process has it.
    func sendLease() async throws(StoreProblem) -> any SendLease
}

/// The exclusive right to send. It is released when its last reference is released, or by ``end()``.
public protocol SendLease: Sendable {
    /// Releases the right; has no effect the second time.
    func end()
}

/// A store of queued requests in memory, for the lifetime of the process.
public final class MemoryRequestQueueStore: RequestQueueStore {
    private let saved: Mutex<SavedQueue>
    private let isSending = Mutex(false)

    /// Creates a store with the given requests.
    public init(_ saved: SavedQueue = .empty) { self.saved = Mutex(saved) }

    /// Returns the queue; never throws.
    public func read() async -> SavedQueue { saved.withLock { $0 } }

    /// Applies a change under a lock; never throws.
    public func change<Result: Sendable>(
        _ change: @Sendable (inout SavedQueue) -> Result
    ) async throws(StoreProblem) -> Result {
        saved.withLock { change(&$0) }
    }

    /// Acquires the right to send.
    ///
    /// - Throws: ``StoreProblem/busy`` if it is taken.
    public func sendLease() async throws(StoreProblem) -> any SendLease {
        let isFree = isSending.withLock { isSending in
            defer { isSending = true }
            return !isSending
        }
        guard isFree else { throw .busy }
        return Lease(of: self)
    }

    private final class Lease: SendLease {
        private let store: Mutex<MemoryRequestQueueStore?>
        init(of store: MemoryRequestQueueStore) { self.store = Mutex(store) }
        func end() { store.withLock { $0.take() }?.isSending.withLock { $0 = false } }
        deinit { end() }
    }
}
