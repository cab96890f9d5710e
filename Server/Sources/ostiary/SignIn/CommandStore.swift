import OstiaryClient
import Synchronization

/// The stored sessions, for one command. Records the reason that the latest change was not stored.
///
/// A client continues with its memory; a command ends, and an unstored change is lost.
final class CommandStore: SessionStore {
    private let file: FileSessionStore
    private let latest = Mutex<StoreProblem?>(nil)
    private let setAside = Mutex<StoreProblem?>(nil)

    init(_ file: FileSessionStore) { self.file = file }

    var path: String { file.path }
    /// The reason that the latest change was not stored; nil if it was.
    var problem: StoreProblem? { latest.withLock(\.self) }

    /// The damage of the stored file, with the path where it was set aside. Later reads find an empty store.
    var damage: StoreProblem? { setAside.withLock(\.self) }

    func read() async -> StoredSessions {
        let answer = await file.read()
        if case .unavailable(.damaged(let path)) = answer { setAside.withLock { $0 = .damaged(setAside: path) } }
        return answer
    }

    func change<Result: Sendable>(
        _ change: @Sendable (inout SavedSessions) -> Result
    ) async throws(StoreProblem) -> Result {
        do throws(StoreProblem) {
            let result = try await file.change(change)
            latest.withLock { $0 = nil }
            return result
        } catch {
            latest.withLock { $0 = error }
            throw error
        }
    }

    func refreshLease() async throws(StoreProblem) -> any RefreshLease { try await file.refreshLease() }
}
