import OstiaryClient
import Synchronization

/// The stored sessions, for one command: it notes what kept the latest change from being stored.
///
/// A client goes on with what is in its memory; a command ends, and what it could not store is lost.
final class CommandStore: SessionStore {
    private let file: FileSessionStore
    private let latest = Mutex<StoreProblem?>(nil)
    private let setAside = Mutex<StoreProblem?>(nil)

    init(_ file: FileSessionStore) { self.file = file }

    var path: String { file.path }
    /// Why the latest change was not stored; nil if it was.
    var problem: StoreProblem? { latest.withLock(\.self) }

    /// That what was stored is damaged, and where it is now. Whoever reads again finds nothing.
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

    func refreshTurn() async throws(StoreProblem) -> any RefreshTurn { try await file.refreshTurn() }
}
