/// The reason that a backup is not written or not restored.
package enum BackupProblem: Error, Hashable, Sendable {
    /// There is a file of that name.
    case exists(path: String)
    /// The directory of a backup does not exist.
    case noDirectory(path: String)
    /// Another process writes a backup to the same place.
    case inProgress(path: String)
    /// The file of the temporary name belongs to another user, or has another name besides.
    case foreign(path: String)
    /// The backup cannot be written; on a full disk, for example.
    case unwritable(path: String, reason: String)
    /// There is no file to restore.
    case noBackup(path: String)
    /// The file is not a backup of Ostiary.
    case notABackup(path: String)
    /// The file does not pass its check.
    case damaged(path: String, detail: String)
    /// The store holds rows.
    case occupied(store: String, table: String)
    /// The rows that were written differ from those that were read.
    case different(table: String)
    /// The connection to the database was lost while it was read.
    case interrupted
}

extension BackupProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .exists(let path): "\(path) exists. Name another file, or a directory."
        case .noDirectory(let path): "\(path) is not a directory that exists."
        case .inProgress(let path): "Another backup is being written to \(path)."
        case .foreign(let path):
            "\(path) is not of this user alone. Remove it, or name a place that only this user can write to."
        case .unwritable(let path, let reason):
            "The backup cannot be written to \(path): \(reason). Nothing is left of it."
        case .noBackup(let path): "\(path) does not exist."
        case .notABackup(let path): "\(path) is not a backup of Ostiary. Nothing was restored."
        case .damaged(let path, let detail): "\(path) is damaged (\(detail)). Nothing was restored. Use another backup."
        case .occupied(let store, let table):
            "\(store) is not empty: there are rows in \(table). Nothing was restored. Move it away first, or name an empty one."
        case .different(let table):
            "The rows of \(table) were not written as they were read. Nothing is left of the backup."
        case .interrupted: "The connection to the database was lost. Run the command again."
        }
    }
}
