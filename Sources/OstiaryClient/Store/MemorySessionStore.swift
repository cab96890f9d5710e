import Synchronization

/// A session store in memory, for the lifetime of the process.
public final class MemorySessionStore: SessionStore {
    private let saved: Mutex<SavedSessions>

    /// Creates a store with initial contents, by default none.
    public init(_ saved: SavedSessions = .none) { self.saved = Mutex(saved) }

    /// Returns the sessions; never ``StoredSessions/unavailable(_:)``.
    public func read() async -> StoredSessions {
        let saved = saved.withLock { $0 }
        return saved == .none ? .absent : .found(saved)
    }

    /// Changes the sessions atomically; never throws.
    public func change<Result: Sendable>(
        _ change: @Sendable (inout SavedSessions) -> Result
    ) async throws(StoreProblem) -> Result {
        saved.withLock { change(&$0) }
    }

    /// Returns at once, as no other process shares the store; never throws.
    public func refreshLease() async throws(StoreProblem) -> any RefreshLease { UnsharedRefreshLease() }
}

/// The refresh lease of a store that no other process shares; it excludes nothing.
public struct UnsharedRefreshLease: RefreshLease {
    /// Creates a lease.
    public init() {}
    /// Does nothing.
    public func end() {}
}
