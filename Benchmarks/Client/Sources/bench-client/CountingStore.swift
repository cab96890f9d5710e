import OstiaryClient
import Synchronization

/// A session store in memory that counts its reads.
final class CountingStore: SessionStore {
    private let store = MemorySessionStore()
    private let count = Mutex(0)
    var reads: Int { count.withLock { $0 } }

    func read() async -> StoredSessions {
        count.withLock { $0 += 1 }
        return await store.read()
    }

    func change<Result: Sendable>(
        _ change: @Sendable (inout SavedSessions) -> Result
    ) async throws(StoreProblem) -> Result { try await store.change(change) }

    func refreshLease() async throws(StoreProblem) -> any RefreshLease { UnsharedRefreshLease() }
}
