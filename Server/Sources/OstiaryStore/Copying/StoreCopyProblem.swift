/// The reason that a store is not copied.
package enum StoreCopyProblem: Error, Hashable, Sendable {
    /// There is no file to copy.
    case noSource(path: String)
    /// An earlier version of Ostiary wrote the file.
    case olderSource(path: String)
    /// The database holds rows that were not written by a copy.
    case occupied(table: String)
    /// The database holds a finished copy.
    case finished
    /// The database holds an unfinished copy.
    case unfinished
    /// The target's rows differ from the file's.
    case different(table: String)
}

extension StoreCopyProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noSource(let path): "\(path) does not exist."
        case .olderSource(let path):
            "\(path) was written by an earlier version of Ostiary. Let a command of this version open it first, for example: ostiary audit."
        case .occupied(let table): "The database is not empty: there are rows in \(table)."
        case .finished: "The database holds a copy that is complete already."
        case .unfinished:
            "The database holds a copy that is not complete. Run ostiary store copy again; it continues where it stopped."
        case .different(let table):
            "\(table) is not the same in both: the file changed after the copy began, or another program wrote to the database. Start again with an empty database."
        }
    }
}
