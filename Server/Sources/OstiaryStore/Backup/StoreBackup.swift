package import Foundation
import GRDB

/// A complete backup: one SQLite file of the current schema, checked and on disk, for its owner alone.
package struct StoreBackup: Hashable, Sendable {
    package var path: String
    package var bytes: Int
    package var accounts: Int
    package var sessions: Int
    /// The names of the older backups that were removed.
    package var removed: [String]

    /// Writes a backup of a store that may serve meanwhile.
    ///
    /// - Throws: ``BackupProblem``, ``StoreError``. Nothing is left of the file then, and no older one is removed.
    package static func write(
        _ store: any BackupSource, to destination: BackupDestination, at now: Date
    ) async throws -> StoreBackup {
        let draft = try destination.draft(at: now)
        do {
            try await store.writeRecords(to: draft.draft)
            let content = try await BackupContent.check(draft.draft)
            let bytes = try draft.publish()
            return StoreBackup(
                path: draft.path, bytes: bytes, accounts: content.accounts, sessions: content.sessions,
                removed: try destination.removeOldest())
        } catch {
            draft.discard()
            switch error {
            // The person knows the final name.
            case BackupProblem.unwritable(_, let reason):
                throw BackupProblem.unwritable(path: draft.path, reason: reason)
            // The pages were copied as they are.
            case BackupProblem.damaged(_, let detail): throw StoreError.damaged(detail: detail)
            default: throw error
            }
        }
    }
}

/// The content of a backup that passed its check.
struct BackupContent: Hashable, Sendable {
    var accounts: Int
    var sessions: Int

    /// Turns the file into a single one without a write-ahead log, brings its schema up to date and reads all of it.
    ///
    /// - Throws: ``BackupProblem``, ``StoreError/newerSchema(path:)``.
    static func check(_ path: String) async throws -> BackupContent {
        do {
            var configuration = Configuration()
            configuration.label = "ostiary.backup"
            let database = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? database.close() }
            try await database.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL")
            }
            try Schema.migrate(database, path: path)
            return try await database.read { db in
                if let problem = try StoreIntegrity.firstProblem(in: db) {
                    throw BackupProblem.damaged(path: path, detail: problem)
                }
                return BackupContent(
                    accounts: try Int.fetchOne(db, sql: "SELECT count(*) FROM account") ?? 0,
                    sessions: try Int.fetchOne(db, sql: "SELECT count(*) FROM session") ?? 0)
            }
        } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
            throw BackupProblem.damaged(path: path, detail: "SQLite code \(error.errorCode)")
        } catch {
            throw BackupFile.translating(error, path: path)
        }
    }
}
