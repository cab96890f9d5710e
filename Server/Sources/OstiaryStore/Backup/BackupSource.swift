package import OstiaryEngine

/// A store whose records can be written to a file.
package protocol BackupSource: Store {
    /// Writes all records, as they are at one moment, to a new SQLite database at `path`.
    ///
    /// The store continues to serve. The file is neither complete on disk nor checked afterwards.
    ///
    /// - Throws: ``StoreError``, ``BackupProblem/interrupted``.
    func writeRecords(to path: String) async throws
}
