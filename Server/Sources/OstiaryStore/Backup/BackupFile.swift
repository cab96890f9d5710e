import Foundation
import GRDB

/// The SQLite database that a backup is written to. Nothing depends on it before it is complete, so that it has no
/// journal and is flushed once, by ``BackupDraft/publish()``.
final class BackupFile: Sendable {
    let path: String
    let database: DatabaseQueue

    /// Opens an empty file.
    ///
    /// - Throws: ``BackupProblem``.
    init(creating path: String) throws {
        self.path = path
        var configuration = Configuration()
        configuration.label = "ostiary.backup"
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF") }
        do { database = try DatabaseQueue(path: path, configuration: configuration) } catch {
            throw Self.translating(error, path: path)
        }
    }

    func close() throws { try database.close() }

    /// Creates the tables of the current schema.
    func makeTables() async throws {
        try await write { try $0.execute(sql: "PRAGMA application_id = \(DatabaseFile.applicationID)") }
        try Schema.migrate(database, path: path)
    }

    func write(_ body: @Sendable (Database) throws -> Void) async throws { try await database.write(body) }

    func checksum(of table: CopiedTable, pageSize: Int) async throws -> String {
        try await database.read { db in
            var checksum = TableChecksum()
            var key: [CopiedValue]?
            while true {
                let rows = try table.rows(in: db, after: key, limit: pageSize)
                guard let last = rows.last else { return checksum.text }
                for row in rows { checksum.add(row) }
                key = table.key(of: last)
            }
        }
    }

    func translating(_ error: any Error) -> any Error { Self.translating(error, path: path) }

    /// Returns the problem of the file that a full or failing disk has; otherwise the store's error.
    static func translating(_ error: any Error, path: String) -> any Error {
        guard let failure = error as? DatabaseError else { return error }
        return switch failure.resultCode {
        case .SQLITE_FULL: BackupProblem.unwritable(path: path, reason: "there is no space left")
        case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM:
            BackupProblem.unwritable(path: path, reason: "SQLite code \(failure.errorCode)")
        default: StoreError.translating(error)
        }
    }
}
