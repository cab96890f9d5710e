import GRDB

extension SQLiteStore: BackupSource {
    /// Copies the pages of one snapshot with SQLite's online backup. A reader's connection copies, so that sign-ins are
    /// committed meanwhile.
    package func writeRecords(to path: String) async throws {
        let copy = try BackupFile(creating: path)
        do {
            try await database.read { db in
                try copy.database.writeWithoutTransaction { try db.backup(to: $0) }
            }
            try copy.close()
        } catch {
            try? copy.close()
            throw copy.translating(error)
        }
    }
}
