import OstiaryStore

/// A complete backup, as commands print it.
struct BackupRecord: Codable, Hashable, Sendable {
    var path: String
    var bytes: Int
    var accounts: Int
    var sessions: Int
    /// The names of the older backups that were removed.
    var removed: [String]

    init(_ backup: StoreBackup) {
        path = backup.path
        bytes = backup.bytes
        accounts = backup.accounts
        sessions = backup.sessions
        removed = backup.removed
    }
}
