import OstiaryDoctor
import OstiaryEngine
import OstiaryStore

/// The measurements that a running server takes of itself.
struct ServerState: Codable, Sendable {
    var openFiles: OpenFileFacts
    /// The setting `synchronous` of SQLite; nil for another store.
    var synchronous: Int?
    /// The durations of short commits; empty for another store.
    var commitMilliseconds: [Double] = []

    private static let commits = 100
    private static let budget = Duration.seconds(2)

    init(of store: any Store) async throws {
        openFiles = .ofThisProcess(isServer: true)
        guard let store = store as? SQLiteStore else { return }
        synchronous = try await store.synchronousSetting
        commitMilliseconds = try await store.measureCommits(count: Self.commits, budget: Self.budget)
    }
}
