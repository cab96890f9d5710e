import Foundation
import GRDB
import OstiaryEngine
@testable import OstiaryStore
import PostgresServer
import Testing

/// Backups and their restoration: see decision 88.
@Suite struct StoreBackupTests {
    private let second = Date(timeIntervalSince1970: 1_795_659_330)

    /// The checksum of every table of a file.
    private func checksums(_ path: String) async throws -> [String] {
        let database = try DatabaseQueue(path: path)
        defer { try? database.close() }
        return try await database.read { db in
            try CopiedTable.all.map { table in
                var checksum = TableChecksum()
                for row in try table.rows(in: db, after: nil, limit: .max) { checksum.add(row) }
                return "\(table.name) \(checksum.rows) \(checksum.text)"
            }
        }
    }

    private func backUp(
        _ store: any BackupSource, to path: String, keeping count: Int? = nil, at now: Date? = nil
    ) async throws -> StoreBackup {
        try await StoreBackup.write(store, to: BackupDestination(path: path, keeping: count), at: now ?? second)
    }

    /// - Parameter closes: `false` if `body` closes the store.
    private func withFilledStore(
        closes: Bool = true, _ body: (TemporaryDirectory, SQLiteStore) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            try await FilledStore.make(at: directory.database)
            let store = try SQLiteStore(path: directory.database, system: .system)
            try await body(directory, store)
            if closes { try await store.close() }
        }
    }

    private func names(in directory: TemporaryDirectory) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted()
    }

    private func file(_ name: String, in directory: TemporaryDirectory) -> String {
        directory.url.appendingPathComponent(name).path
    }

    @Test func `a backup of SQLite is one private file with every row, while the store is open`() async throws {
        try await withFilledStore(closes: false) { directory, store in
            _ = try await store.addAccount("late")
            let path = file("backup.db", in: directory)
            let backup = try await backUp(store, to: path)
            #expect(backup.accounts == 8 && backup.sessions == 13 && backup.bytes > 0 && backup.path == path)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o600)
            #expect(try names(in: directory).filter { $0.hasPrefix("backup") } == ["backup.db"])
            try await store.close()
            let same = try await checksums(directory.database) == checksums(path)
            #expect(same)
        }
    }

    @Test func `a backup is restored into a missing and into an empty store, and in no other`() async throws {
        try await withFilledStore { directory, store in
            let backup = file("backup.db", in: directory)
            _ = try await backUp(store, to: backup)
            let before = try await checksums(backup)
            for isThere in [false, true] {
                let target = file("restored-\(isThere).db", in: directory)
                if isThere { try await SQLiteStore(path: target, system: .system).close() }
                try await StoreRestore.restore(backup, toSQLite: target)
                let restored = try SQLiteStore(path: target, system: .system)
                _ = try await restored.addAccount("new")
                try await restored.close()
                await #expect(throws: BackupProblem.occupied(store: DatabaseFile.realPath(target), table: "account")) {
                    try await StoreRestore.restore(backup, toSQLite: target)
                }
            }
            let after = try await checksums(backup)
            #expect(before == after)
            let name = DatabaseFile.realPath(directory.database)
            await #expect(throws: StoreError.inUse(path: name)) {
                try await StoreRestore.restore(backup, toSQLite: directory.database)
            }
        }
    }

    @Test func `a store whose file was lost is restored where it was`() async throws {
        try await withFilledStore(closes: false) { directory, store in
            let backup = file("backup.db", in: directory)
            _ = try await backUp(store, to: backup)
            try await store.close()
            try FileManager.default.removeItem(atPath: directory.database)
            try await StoreRestore.restore(backup, toSQLite: directory.database)
            let same = try await checksums(directory.database) == checksums(backup)
            #expect(same)
        }
    }

    @Test func `a backup of an earlier version is brought up to date, and one of a newer version refused`() async throws
    {
        try await withTemporaryDirectory { directory in
            let old = file("old.db", in: directory)
            let database = try DatabaseQueue(path: old)
            try await database.write { try $0.execute(sql: "PRAGMA application_id = \(DatabaseFile.applicationID)") }
            try Schema.steps.migrate(database, upTo: "0004 issued signing keys, withdrawn refresh tokens")
            try database.close()
            try await StoreRestore.restore(old, toSQLite: directory.database)
            try await SQLiteStore(path: directory.database, system: .system).close()
            try await FilledStore.change(old, "INSERT INTO grdb_migrations VALUES ('9999 tomorrow')")
            await #expect(throws: StoreError.newerSchema(path: old)) {
                try await StoreRestore.restore(old, toSQLite: self.file("other.db", in: directory))
            }
            #expect(try !names(in: directory).contains { $0.hasPrefix("other.db") && $0 != "other.db.lock" })
        }
    }

    @Test func `a damaged backup and another file are refused, and nothing is left`() async throws {
        try await withFilledStore { directory, store in
            let backup = file("backup.db", in: directory)
            _ = try await backUp(store, to: backup)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: backup))
            var damaged = bytes
            // The page of a table's root: its header says how many cells there are.
            for index in 4096 * 3..<4096 * 3 + 64 { damaged[index] = 0xFF }
            for (name, content) in [
                ("damaged.db", damaged), ("short.db", bytes.prefix(bytes.count / 2)), ("text.db", Data("text".utf8)),
            ] {
                let path = file(name, in: directory)
                try content.write(to: URL(fileURLWithPath: path))
                let error = await #expect(throws: BackupProblem.self) {
                    try await StoreRestore.restore(path, toSQLite: self.file("target.db", in: directory))
                }
                switch error {
                case .damaged, .notABackup: break
                default: Issue.record("\(name): \(String(describing: error))")
                }
            }
            #expect(try !names(in: directory).contains { $0.hasPrefix("target.db") && $0 != "target.db.lock" })
            await #expect(throws: BackupProblem.noBackup(path: "/none")) {
                try await StoreRestore.restore("/none", toSQLite: self.file("target.db", in: directory))
            }
        }
    }

    @Test func `a directory keeps the newest, and only backups are removed`() async throws {
        try await withFilledStore { directory, store in
            let backups = directory.url.appendingPathComponent("backups")
            try FileManager.default.createDirectory(at: backups, withIntermediateDirectories: false)
            for name in ["ostiary-1.db", "notes.txt", "ostiary-20200101T000000Z.db.gz"] {
                try Data().write(to: backups.appendingPathComponent(name))
            }
            for day in 0..<4 {
                let backup = try await backUp(
                    store, to: backups.path, keeping: 2, at: second.addingTimeInterval(Double(day) * 86_400))
                #expect(backup.removed.count == (day < 2 ? 0 : 1))
            }
            let kept = try FileManager.default.contentsOfDirectory(atPath: backups.path).sorted()
            #expect(
                kept == [
                    "notes.txt", "ostiary-1.db", "ostiary-20200101T000000Z.db.gz", "ostiary-20261128T021530Z.db",
                    "ostiary-20261129T021530Z.db",
                ])
        }
    }

    @Test func `no file is replaced, and a draft of an ended process is`() async throws {
        try await withFilledStore { directory, store in
            let path = file("backup.db", in: directory)
            try Data("draft".utf8).write(to: URL(fileURLWithPath: "\(path).part"))
            _ = try await backUp(store, to: path)
            await #expect(throws: BackupProblem.exists(path: path)) { try await self.backUp(store, to: path) }
            await #expect(throws: BackupProblem.exists(path: directory.database)) {
                try await self.backUp(store, to: directory.database)
            }
            await #expect(throws: BackupProblem.noDirectory(path: "/none")) {
                try await self.backUp(store, to: "/none/backup.db")
            }
            let other = file("other.db", in: directory)
            let draft = try BackupDraft(path: other, draft: "\(other).part")
            await #expect(throws: BackupProblem.inProgress(path: other)) { try await self.backUp(store, to: other) }
            draft.discard()
            #expect(try names(in: directory).filter { $0.hasSuffix(".part") } == [])
        }
    }

    @Test func `a draft that has another name besides is refused and left as it is`() async throws {
        try await withFilledStore { directory, store in
            let path = file("backup.db", in: directory)
            let other = file("another.txt", in: directory)
            try Data("another's".utf8).write(to: URL(fileURLWithPath: other))
            try FileManager.default.linkItem(atPath: other, toPath: "\(path).part")
            await #expect(throws: BackupProblem.foreign(path: "\(path).part")) {
                try await self.backUp(store, to: path)
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == Data("another's".utf8))
        }
    }

    @Test(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed"))
    func `a backup of PostgreSQL has every row, and is restored into both databases`() async throws {
        try await withTemporaryDirectory { directory in
            try await FilledStore.make(at: directory.database)
            let server = try await PostgresServer.shared()
            let backup = file("backup.db", in: directory)
            try await server.withSettings { settings in
                _ = try await StoreRestore.restore(
                    directory.database, toPostgres: settings, system: .system, log: .silent
                ) { _ in }
                let store = try await PostgresStore.open(settings, system: .system, log: .silent)
                _ = try await backUp(store, to: backup)
                #expect(try await store.findings() == [])
                await store.close()
            }
            let same = try await checksums(directory.database) == checksums(backup)
            #expect(same)
            try await server.withSettings { settings in
                _ = try await StoreRestore.restore(backup, toPostgres: settings, system: .system, log: .silent) { _ in }
                let store = try await PostgresStore.open(settings, system: .system, log: .silent)
                // A number of a deleted row is not assigned again.
                let database = try DatabaseQueue(path: backup)
                let last = try await database.read {
                    try Int64.fetchOne($0, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'session'")
                }
                try database.close()
                let account = try await store.addAccount("new")
                try await store.addSession("new", of: account)
                let number = try await store.read("SELECT number FROM session WHERE id = 'new'")
                    .value { try $0.integer() }
                #expect(last.map { $0 + 1 } == number)
                await store.close()
            }
        }
    }

    @Test func `a check finds rows that refer to missing ones`() async throws {
        try await withTemporaryDirectory { directory in
            try await FilledStore.make(at: directory.database)
            let database = try DatabaseQueue(
                path: directory.database,
                configuration: {
                    var configuration = Configuration()
                    configuration.foreignKeysEnabled = false
                    return configuration
                }())
            try await database.write {
                try $0.execute(
                    sql: "DELETE FROM session WHERE number = (SELECT session FROM session_attachment LIMIT 1)")
            }
            try database.close()
            let store = try SQLiteStore(path: directory.database, system: .system)
            let findings = try await store.findings()
            #expect(findings.map(\.code).allSatisfy { $0 == "orphan_rows" })
            #expect(findings.contains { $0.subject == "session_attachment" && $0.count == 1 })
            try await store.close()
        }
    }
}
