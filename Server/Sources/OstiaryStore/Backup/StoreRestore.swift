import Foundation
import GRDB
package import Logging
package import OstiaryEngine
package import OstiaryPostgres

/// Restores a backup into an empty store. The backup's schema may be older.
package enum StoreRestore {
    /// Restores into the SQLite database at `path`, which must be missing or empty. The change is atomic.
    ///
    /// - Throws: ``BackupProblem``; ``StoreError/inUse(path:)`` while a server runs on it,
    ///   ``StoreError/newerSchema(path:)``, and others of ``StoreError``.
    package static func restore(_ backup: String, toSQLite path: String) async throws {
        let path = DatabaseFile.realPath(path)
        let file = try DatabaseFile(locking: path)
        defer { file.unlock() }
        let draft = "\(path).new"
        do {
            try await checkEmpty(file)
            try file.createDraft(draft)
            try await copy(backup, to: draft)
            // The log of an empty database, which would be replayed into the new one.
            for leftover in ["\(path)-wal", "\(path)-shm"] { unlink(leftover) }
            try file.publish(draft)
            try file.noteDatabase()
        } catch {
            for leftover in [draft, "\(draft)-journal", "\(draft)-wal", "\(draft)-shm"] { unlink(leftover) }
            if case BackupProblem.unwritable(_, let reason) = error {
                throw StoreError.unwritable(path: path, reason: reason)
            }
            throw StoreError.translating(error)
        }
    }

    /// Restores into a PostgreSQL database, which must be empty or hold a restoration that was interrupted. No server
    /// starts on it before the restoration is complete.
    ///
    /// - Returns: The comparison of both sides, table by table.
    /// - Throws: ``BackupProblem``, ``StoreCopyProblem``, ``StoreError``.
    package static func restore(
        _ backup: String, toPostgres settings: PostgresSettings, system: SystemDependencies, log: Logger,
        progress: @escaping @Sendable (StoreCopy.Progress) -> Void
    ) async throws -> [StoreCopy.Verified] {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("ostiary-\(system.uuid())")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: directory) }
        let working = directory.appendingPathComponent("backup.db").path
        guard FileManager.default.createFile(atPath: working, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw BackupProblem.unwritable(path: working, reason: "it cannot be created") }
        try await copy(backup, to: working)
        let transfer = try await StoreCopy(from: working, to: settings, system: system, log: log)
        do {
            let verified = try await transfer.run(progress: progress)
            try await transfer.close()
            return verified
        } catch {
            try? await transfer.close()
            throw error
        }
    }

    /// Copies the backup, brings the copy's schema up to date and checks it. The backup is not changed.
    private static func copy(_ backup: String, to path: String) async throws {
        guard FileManager.default.fileExists(atPath: backup) else { throw BackupProblem.noBackup(path: backup) }
        guard DatabaseFile.hasHeader(backup) else { throw BackupProblem.notABackup(path: backup) }
        // A database that a server has open can be copied with `store backup` alone.
        let lock =
            FileManager.default.fileExists(atPath: "\(backup).lock") ? try DatabaseFile(locking: backup) : nil
        defer { lock?.unlock() }
        var configuration = Configuration()
        configuration.label = "ostiary.restore"
        configuration.readonly = true
        do {
            let source = try DatabaseQueue(path: backup, configuration: configuration)
            let target = try BackupFile(creating: path)
            defer {
                try? source.close()
                try? target.close()
            }
            guard try await !source.read({ try Schema.steps.hasBeenSuperseded($0) }) else {
                throw StoreError.newerSchema(path: backup)
            }
            // Before the migration, which would fail on damaged pages with less clear errors.
            if let problem = try await source.read(StoreIntegrity.firstProblem) {
                throw BackupProblem.damaged(path: backup, detail: problem)
            }
            try await source.read { db in
                try target.database.writeWithoutTransaction { try db.backup(to: $0) }
            }
        } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
            throw BackupProblem.damaged(path: backup, detail: "SQLite code \(error.errorCode)")
        } catch {
            throw BackupFile.translating(error, path: path)
        }
        _ = try await BackupContent.check(path)
    }

    private static func checkEmpty(_ file: DatabaseFile) async throws {
        guard try file.isPresent(isToBeReplaced: true) else { return }
        let database = try DatabaseQueue(path: file.path)
        defer { try? database.close() }
        let occupied = try await database.read { db in
            try CopiedTable.all.first { try db.tableExists($0.name) && !$0.isEmpty(in: db) }
        }
        if let occupied { throw BackupProblem.occupied(store: file.path, table: occupied.name) }
    }
}
