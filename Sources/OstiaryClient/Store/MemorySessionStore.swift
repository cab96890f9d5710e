import Synchronization

/// Keeps sessions for as long as the process lives.
public final class MemorySessionStore: SessionStore {
    private let saved: Mutex<SavedSessions>

    public init(_ saved: SavedSessions = .none) { self.saved = Mutex(saved) }

    public func read() async -> StoredSessions {
        let saved = saved.withLock { $0 }
        return saved == .none ? .absent : .found(saved)
    }

    public func change<Result: Sendable>(
        _ change: @Sendable (inout SavedSessions) -> Result
    ) async throws(StoreProblem) -> Result {
        saved.withLock { change(&$0) }
    }

    public func refreshTurn() async throws(StoreProblem) -> any RefreshTurn { UnsharedRefreshTurn() }
}

/// The turn of the only process that there is.
public struct UnsharedRefreshTurn: RefreshTurn {
    public init() {}
    public func end() {}
}
