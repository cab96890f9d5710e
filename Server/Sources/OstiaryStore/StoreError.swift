import GRDB
package import OstiaryPostgres

/// The reason that the store could not be opened, read or written. Contains no value of any row.
package enum StoreError: Error, Hashable, Sendable {
    /// Another process, or another store of this one, has the database open.
    case inUse(path: String)
    /// The file is empty, or is not an SQLite database.
    case notADatabase(path: String)
    /// The file is another program's SQLite database.
    case foreignDatabase(path: String)
    /// The PostgreSQL database has tables of another program under the names of Ostiary's.
    case foreignTables(database: String)
    /// A newer Ostiary wrote the database.
    case newerSchema(path: String)
    /// The write-ahead log exists and its database does not.
    case strayLog(path: String)
    /// The file, or the directory it is in, cannot be written.
    case unwritable(path: String, reason: String)
    /// The file was removed or replaced while it was open.
    case fileGone(path: String)
    /// The database holds values that Ostiary never writes.
    case damaged(detail: String)
    /// Too many writes are waiting.
    case overloaded
    /// The store was closed.
    case closed
    /// The database server has a setting that breaks Ostiary's guarantees.
    case unsuitable(setting: String, needs: String)
    /// SQLite failed; `code` is its extended result code.
    case failed(code: Int)
    /// PostgreSQL refused, cannot be reached, or the outcome is unknown.
    case postgres(PostgresError)
}

extension StoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .inUse(let path): "\(path) is in use by another Ostiary process."
        case .notADatabase(let path):
            "\(path) is not an SQLite database. Restore it from a backup, or move it away to start with an empty one."
        case .foreignDatabase(let path): "\(path) is an SQLite database, but not one of Ostiary's."
        case .foreignTables(let database):
            "The PostgreSQL database \(database) has another program's tables under the names of Ostiary's. Use a database or a schema of its own."
        case .newerSchema(let path): "\(path) was written by a newer version of Ostiary. Run that version."
        case .strayLog(let path):
            "\(path)-wal exists, but \(path) does not. Restore the database, or move the log away to start with an empty one."
        case .unwritable(let path, let reason): "\(path) cannot be written: \(reason)."
        case .fileGone(let path):
            "\(path) was removed or replaced. Restore it, or remove \(path).lock to start with an empty one."
        case .damaged(let detail): "The database is damaged (\(detail))."
        case .overloaded: "The store has too many writes waiting."
        case .closed: "The store is closed."
        case .unsuitable(let setting, let needs):
            "The database needs \(setting) = \(needs) for the role that Ostiary has."
        case .failed(let code): "The store failed with SQLite's result code \(code)."
        case .postgres(let error): error.description
        }
    }
}

extension StoreError {
    /// Returns the store's error for an error of SQLite; other errors unchanged.
    static func translating(_ error: any Error) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        return switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: StoreError.damaged(detail: "SQLite code \(error.errorCode)")
        // GRDB's error for a closed connection.
        case .SQLITE_MISUSE: StoreError.closed
        default: StoreError.failed(code: error.errorCode)
        }
    }
}
