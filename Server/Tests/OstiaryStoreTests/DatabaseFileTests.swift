import Foundation
import GRDB
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryStore

@Suite struct DatabaseFileTests {
    @Test func `keeps everything from one opening to the next`() async throws {
        try await withTemporaryDirectory { directory in
            let first = try open(directory)
            let account = try await first.addAccount()
            try await first.addSession("s1", of: account)
            _ = try await first.rotate("s1", from: 0, at: noon.after(1))
            _ = try await first.revoke(SessionID("s1"), in: .named(), Revocation(reason: .reuse, at: noon.after(2)))
            let before = try await first.state("s1")
            try await first.close()

            let second = try open(directory)
            #expect(try await second.account(account.id, in: .named()) == account)
            #expect(try await second.state("s1") == before)
            #expect(before != nil)
            try await second.close()
        }
    }

    @Test func `writes with full synchronisation to a write-ahead log`() async throws {
        try await withTemporaryDirectory { directory in
            let store = try open(directory)
            let settings = try await store.write { db in
                [
                    try String.fetchOne(db, sql: "PRAGMA journal_mode"),
                    try String.fetchOne(db, sql: "PRAGMA synchronous"),
                    try String.fetchOne(db, sql: "PRAGMA foreign_keys"),
                ]
            }
            #expect(settings == ["wal", "2", "1"])
            try await store.close()
        }
    }

    @Test func `reads on connections that cannot write or checkpoint`() async throws {
        try await withTemporaryDirectory { directory in
            let store = try open(directory)
            let isReadOnly = try await store.read { db in
                (
                    try Int.fetchOne(db, sql: "PRAGMA query_only"),
                    try Int.fetchOne(db, sql: "PRAGMA wal_autocheckpoint"),
                    db.configuration.readonly
                )
            }
            #expect(isReadOnly == (1, 0, true))
            await #expect(throws: StoreError.failed(code: 8)) {
                try await store.read { try $0.execute(sql: "DELETE FROM account") }
            }
            try await store.close()
        }
    }

    @Test func `is for its owner's eyes only`() async throws {
        try await withTemporaryDirectory { directory in
            let store = try open(directory)
            _ = try await store.addAccount()
            for suffix in ["", "-wal", "-shm", ".lock"] {
                #expect(try mode(of: directory.database + suffix) == 0o600)
            }
            try await store.close()
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: directory.database)
            try await open(directory).close()
            #expect(try mode(of: directory.database) == 0o600)
        }
    }

    @Test func `refuses a second opener and lets go when it is closed`() async throws {
        try await withTemporaryDirectory { directory in
            let store = try open(directory)
            #expect(throws: StoreError.inUse(path: directory.database)) { try open(directory) }
            try await store.close()
            try await open(directory).close()
        }
    }

    @Test func `is closed once, however often that is asked for`() async throws {
        try await withTemporaryDirectory { directory in
            let store = try open(directory)
            try await store.close()
            try await store.close()
            try await open(directory).close()
        }
    }

    @Test(arguments: [0, 7, 4096]) func `refuses a file that is no database and leaves it alone`(size: Int) async throws
    {
        try await withTemporaryDirectory { directory in
            let content = Data(repeating: 0x41, count: size)
            try content.write(to: URL(fileURLWithPath: directory.database))
            #expect(throws: StoreError.notADatabase(path: directory.database)) { try open(directory) }
            #expect(try Data(contentsOf: URL(fileURLWithPath: directory.database)) == content)
        }
    }

    @Test func `refuses a directory`() async throws {
        try await withTemporaryDirectory { directory in
            try FileManager.default.createDirectory(atPath: directory.database, withIntermediateDirectories: false)
            #expect(throws: StoreError.notADatabase(path: directory.database)) { try open(directory) }
        }
    }

    @Test func `refuses another program's database`() async throws {
        try await withTemporaryDirectory { directory in
            let other = try DatabaseQueue(path: directory.database)
            try await other.write { try $0.execute(sql: "CREATE TABLE user (id INTEGER)") }
            try other.close()
            #expect(throws: StoreError.foreignDatabase(path: directory.database)) { try open(directory) }
        }
    }

    @Test func `refuses a newer version's database`() async throws {
        try await withTemporaryDirectory { directory in
            let store = try open(directory)
            try await store.write {
                try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('9999 of the future')")
            }
            try await store.close()
            #expect(throws: StoreError.newerSchema(path: directory.database)) { try open(directory) }
        }
    }

    @Test func `refuses a file that is read-only`() async throws {
        try await withTemporaryDirectory { directory in
            try await open(directory).close()
            try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: directory.database)
            #expect(throws: StoreError.unwritable(path: directory.database, reason: "it is read-only")) {
                try open(directory)
            }
        }
    }

    @Test func `refuses to begin anew beside the log of a database that is gone`() async throws {
        try await withTemporaryDirectory { directory in
            try Data("log".utf8).write(to: URL(fileURLWithPath: "\(directory.database)-wal"))
            #expect(throws: StoreError.strayLog(path: directory.database)) { try open(directory) }
            #expect(!FileManager.default.fileExists(atPath: directory.database))
        }
    }

    @Test func `refuses a link to a file that is not there`() async throws {
        try await withTemporaryDirectory { directory in
            try FileManager.default.createSymbolicLink(
                atPath: directory.database, withDestinationPath: "\(directory.url.path)/unmounted/ostiary.db")
            #expect(throws: StoreError.self) { try open(directory) }
        }
    }

    @Test func `refuses a directory that is not there`() async throws {
        try await withTemporaryDirectory { directory in
            let path = "\(directory.url.path)/missing/ostiary.db"
            let reason = String(cString: strerror(ENOENT))
            #expect(throws: StoreError.unwritable(path: "\(path).lock", reason: reason)) {
                try SQLiteStore(path: path, system: .system)
            }
        }
    }

    @Test func `begins anew after a first start that was cut short`() async throws {
        try await withTemporaryDirectory { directory in
            try Data("half".utf8).write(to: URL(fileURLWithPath: "\(directory.database).new"))
            let store = try open(directory)
            _ = try await store.addAccount()
            try await store.close()
            #expect(!FileManager.default.fileExists(atPath: "\(directory.database).new"))
        }
    }

    @Test func `says damaged when pages of the file were overwritten`() async throws {
        try await withTemporaryDirectory { directory in
            let first = try open(directory)
            _ = try await inParallel(200) { try await first.addAccount("user\($0)") }
            try await first.close()
            let handle = try FileHandle(forUpdating: URL(fileURLWithPath: directory.database))
            let size = try handle.seekToEnd()
            try handle.seek(toOffset: 4096)
            try handle.write(contentsOf: Data(repeating: 0xFF, count: Int(size) - 4096))
            try handle.close()
            await #expect {
                let store = try open(directory)
                _ = try await store.addAccount("more")
            } throws: { error in
                if case StoreError.damaged = error { true } else { false }
            }
        }
    }

    @Test func `explains each error without naming values`() {
        let path = "/data/ostiary.db"
        let errors: [StoreError] = [
            .inUse(path: path), .notADatabase(path: path), .foreignDatabase(path: path), .newerSchema(path: path),
            .strayLog(path: path), .unwritable(path: path, reason: "it is read-only"), .fileGone(path: path),
        ]
        for error in errors { #expect(error.description.contains(path)) }
    }

    @discardableResult
    private func open(_ directory: TemporaryDirectory) throws -> SQLiteStore {
        try SQLiteStore(path: directory.database, system: .system)
    }

    private func mode(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `makes no empty database where one was`() async throws {
        try await withTemporaryDirectory { directory in
            try await open(directory).close()
            try FileManager.default.removeItem(atPath: directory.database)
            #expect(throws: StoreError.fileGone(path: directory.database)) { try open(directory) }
            try FileManager.default.removeItem(atPath: "\(directory.database).lock")
            try await open(directory).close()
        }
    }

    @Test func `has one lock for all names of a file`() async throws {
        try await withTemporaryDirectory { directory in
            let store = try open(directory)
            let link = "\(directory.database)-link"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: directory.database)
            #expect(throws: StoreError.inUse(path: directory.database)) {
                try SQLiteStore(path: link, system: store.system)
            }
            try await store.close()
        }
    }

    @Test func `acknowledges nothing that is written to a removed file`() async throws {
        try await withTemporaryDirectory { directory in
            let store = try open(directory)
            try FileManager.default.removeItem(atPath: directory.database)
            await #expect(throws: StoreError.fileGone(path: directory.database)) { try await store.addAccount() }
        }
    }
}
