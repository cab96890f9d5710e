import Foundation
import GRDB
package import OstiaryEngine

extension SQLiteStore {
    /// Opens a database that no process has open, for reading alone, while `body` runs. It is neither created nor migrated nor
    /// checkpointed, and no server can open it meanwhile.
    ///
    /// Blocks the thread while it opens.
    ///
    /// - Returns: Nil if the schema is of another version.
    /// - Throws: ``StoreError``, and what `body` throws.
    package static func reading<Value: Sendable>(
        path: String, system: SystemDependencies, _ body: (SQLiteStore) async throws -> Value
    ) async throws -> Value? {
        let path = DatabaseFile.realPath(path)
        guard DatabaseFile.hasHeader(path) else { throw StoreError.notADatabase(path: path) }
        // A file that this command creates might belong to another user than the server's.
        guard FileManager.default.fileExists(atPath: "\(path).lock") else {
            throw StoreError.unwritable(path: "\(path).lock", reason: "no server has used the database yet")
        }
        let file = try DatabaseFile(locking: path)
        let hasLog = FileManager.default.fileExists(atPath: "\(path)-wal")
        defer {
            // A connection that only reads creates both, and leaves them.
            if !hasLog { for suffix in ["-wal", "-shm"] { unlink(path + suffix) } }
            file.unlock()
        }
        var configuration = Self.configuration(holding: file)
        configuration.readonly = true
        do {
            let database = try DatabaseQueue(path: path, configuration: configuration)
            guard try await database.read({ try Schema.isCurrent($0) }) else {
                try database.close()
                return nil
            }
            let store = SQLiteStore(database, system: system, file: nil)
            let value = try await body(store)
            try await store.close()
            return value
        } catch {
            throw StoreError.translating(error)
        }
    }

    /// The setting `synchronous` of the connection that writes: 2 is FULL.
    package var synchronousSetting: Int {
        get async throws { try await write { try Int.fetchOne($0, sql: "PRAGMA synchronous") ?? 0 } }
    }

    /// Measures commits that change nothing: each writes the first page again, with the number that it has.
    ///
    /// - Returns: The durations in milliseconds.
    package func measureCommits(count: Int, budget: Duration) async throws -> [Double] {
        var milliseconds: [Double] = []
        let end = ContinuousClock.now + budget
        while milliseconds.count < count, ContinuousClock.now < end {
            let start = ContinuousClock.now
            try await writer.write { db in
                let number = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
                try db.execute(sql: "PRAGMA user_version = \(number)")
            }
            milliseconds.append((ContinuousClock.now - start) / .milliseconds(1))
        }
        return milliseconds
    }
}
