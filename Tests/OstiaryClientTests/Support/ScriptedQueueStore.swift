import OstiaryClient
import Synchronization

/// A store in memory that can fail, and lets a test in before it changes.
final class ScriptedQueueStore: RequestQueueStore {
    private let memory = MemoryRequestQueueStore()
    private let failing = Mutex(false)
    private let entering = Mutex<@Sendable () async -> Void>({})

    /// Whether it can be written.
    var fails: Bool {
        get { failing.withLock { $0 } }
        set { failing.withLock { $0 = newValue } }
    }

    func beforeChange(_ enter: @escaping @Sendable () async -> Void) { entering.withLock { $0 = enter } }

    func read() async -> SavedQueue { await memory.read() }

    func change<Result: Sendable>(
        _ change: @Sendable (inout SavedQueue) -> Result
    ) async throws(StoreProblem) -> Result {
        await entering.withLock { $0 }()
        if fails { throw .busy }
        return try await memory.change(change)
    }

    func sendLease() async throws(StoreProblem) -> any SendLease { try await memory.sendLease() }
}
