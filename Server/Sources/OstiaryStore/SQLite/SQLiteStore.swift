import Foundation
import GRDB
package import OstiaryEngine
import Synchronization

/// The engine's store in one SQLite database.
///
/// An acknowledged write survives `kill -9` and power loss. One connection writes and checkpoints; the others only
/// read.
package final class SQLiteStore: Store {
    let database: any DatabaseWriter
    let writer: GroupWriter
    let health: WriteHealth
    let cache: SessionCache
    let pendingTokenUses = PendingTokenUses()
    let assessmentSweep = AssessmentSweep()
    package let commitDurations: DurationHistogram
    /// The number of reads in progress.
    let reads = Atomic<Int>(0)
    let system: SystemDependencies
    private let file: (DatabaseFile, DatabaseFile.Identity)?
    private let isClosed = Atomic<Bool>(false)

    /// Opens the database at `path` and brings its schema up to date; creates it if there is none.
    ///
    /// Blocks the thread meanwhile.
    ///
    /// - Throws: ``StoreError`` if the file is in use, is not an Ostiary database, is a newer version's or cannot be
    ///   written. An existing file is never replaced.
    package convenience init(path: String, system: SystemDependencies) throws {
        do {
            // Under its resolved path, or two names of one file would have two locks.
            let path = DatabaseFile.realPath(path)
            let file = try DatabaseFile(locking: path)
            if try !file.isPresent() {
                try file.create { draft in
                    let database = try DatabaseQueue(path: draft, configuration: Self.configuration(holding: file))
                    try database.write { try $0.execute(sql: "PRAGMA application_id = \(DatabaseFile.applicationID)") }
                    try Schema.migrate(database, path: path)
                    try database.close()
                }
            }
            let database = try DatabasePool(path: path, configuration: Self.configuration(holding: file))
            try database.writeWithoutTransaction { db in
                // Here and not when the connection opens, because GRDB then sets NORMAL, which loses commits.
                try db.execute(sql: "PRAGMA synchronous = FULL")
                // Pages of 4 KiB. A checkpoint flushes the database file too, so a large interval amortizes it.
                try db.execute(sql: "PRAGMA wal_autocheckpoint = 8192")
                try db.execute(sql: "PRAGMA journal_size_limit = 67108864")
            }
            try Schema.migrate(database, path: path)
            try file.noteDatabase()
            self.init(database, system: system, file: (file, try file.identity()))
        } catch {
            throw StoreError.translating(error)
        }
    }

    /// Creates a database in memory: the same SQL, discarded with the store.
    package convenience init(inMemoryWith system: SystemDependencies) throws {
        do {
            let database = try DatabaseQueue(configuration: Self.configuration(holding: nil))
            try Schema.migrate(database, path: ":memory:")
            self.init(database, system: system, file: nil)
        } catch {
            throw StoreError.translating(error)
        }
    }

    init(
        _ database: any DatabaseWriter, system: SystemDependencies, file: (DatabaseFile, DatabaseFile.Identity)?
    ) {
        self.database = database
        self.system = system
        self.file = file
        let health = WriteHealth(openedAt: system.now())
        self.health = health
        let commitDurations = DurationHistogram()
        self.commitDurations = commitDurations
        let cache = SessionCache()
        self.cache = cache
        database.writeWithoutTransaction { cache.observe($0) }
        writer = GroupWriter(
            database, durations: commitDurations, checkFile: { try Self.check(file) },
            transactionEnded: { cache.transactionEnded() },
            noteOutcome: { failure in
                if let failure { health.note(failure) } else { health.noteCommit(at: system.now()) }
            })
    }

    /// Finishes pending writes, checkpoints the write-ahead log into the database and releases the file. Later calls
    /// throw ``StoreError/closed``; a second close does nothing.
    package func close() async throws {
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        await writer.close()
        do {
            if file != nil {
                _ = try await database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            }
            try database.close()
        } catch {
            throw StoreError.translating(error)
        }
        file?.0.unlock()
    }

    /// - Parameter function: The caller's name, which names the span of the write.
    func write<Value: Sendable>(
        function: StaticString = #function, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await RequestTrace.measure(.store, "store \(function)", attributes: [.system("sqlite")]) {
            guard let actor = ChangeActor.current else { return try await writer.write(body) }
            return try await writer.write { db in
                // The triggers do not know the administrator. No other write comes in between.
                let last = try db.lastEventNumber()
                let value = try body(db)
                try db.run("UPDATE account_event SET actor = ?1 WHERE number > ?2", [actor, last])
                return value
            }
        }
    }

    /// Runs `body`, whose statements each see the last commit, on a read-only connection.
    ///
    /// - Parameter function: The caller's name, which names the span of the read.
    func read<Value: Sendable>(
        function: StaticString = #function, _ body: @Sendable (Database) throws -> Value
    ) async throws -> Value {
        reads.add(1, ordering: .relaxed)
        defer { reads.subtract(1, ordering: .relaxed) }
        return try await RequestTrace.measure(.store, "store \(function)", attributes: [.system("sqlite")]) {
            do { return try await database.unsafeRead(body) } catch { throw StoreError.translating(error) }
        }
    }

    /// - Throws: ``StoreError/fileGone(path:)``. Writes would still succeed then, and be lost with the process.
    func checkFile() throws(StoreError) {
        try Self.check(file)
    }

    private static func check(_ file: (DatabaseFile, DatabaseFile.Identity)?) throws(StoreError) {
        guard let (file, identity) = file else { return }
        guard try file.identity() == identity else { throw .fileGone(path: file.path) }
    }

    /// The connections retain `file`, so that its lock outlives them.
    static func configuration(holding file: DatabaseFile?) -> Configuration {
        var configuration = Configuration()
        configuration.label = "ostiary.store"
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(2)
        configuration.maximumReaderCount = 4
        configuration.prepareDatabase { db in
            withExtendedLifetime(file) {}
            // In KiB. The system's page cache holds the rest: larger caches took memory and no less time with a million
            // accounts, and a reader's is dropped after each commit.
            if db.configuration.readonly {
                try db.execute(sql: "PRAGMA query_only = ON; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -2048")
            } else {
                // Apple's fsync leaves data in the disk's cache; on other systems these settings have no effect.
                try db.execute(
                    sql: "PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON; PRAGMA cache_size = -8192")
            }
        }
        return configuration
    }
}
