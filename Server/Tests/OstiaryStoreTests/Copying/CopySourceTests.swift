import Foundation
import GRDB
import OstiaryEngine
@testable import OstiaryStore
import Testing

@Suite struct CopySourceTests {
    @Test func `reads every row once, whatever the size of a page`() async throws {
        try await withTemporaryDirectory { directory in
            try await FilledStore.make(at: directory.database)
            let source = try CopySource(path: directory.database)
            for table in CopiedTable.all {
                let all = try await source.rows(of: table, after: nil, limit: 1000)
                #expect(try await source.count(table) == all.count && !all.isEmpty)
                var one: [[CopiedValue]] = []
                while let row = try await source.rows(of: table, after: one.last.map(table.key), limit: 1).first {
                    one.append(row)
                }
                #expect(one == all, "\(table.name)")
            }
            try source.close()
        }
    }

    @Test func `knows numbers that were given out and are gone`() async throws {
        try await withTemporaryDirectory { directory in
            try await FilledStore.make(at: directory.database)
            let source = try CopySource(path: directory.database)
            let session = try #require(CopiedTable.all.first { $0.name == "session" })
            let last = try #require(try await source.rows(of: session, after: nil, limit: 1000).last?.first)
            let greatest = try await source.greatestNumber(in: session)
            #expect(last == .integer(greatest - 1))
            try source.close()
        }
    }

    @Test func `changes no byte, and lets nobody else in`() async throws {
        try await withTemporaryDirectory { directory in
            try await FilledStore.make(at: directory.database)
            let before = try Data(contentsOf: URL(fileURLWithPath: directory.database))
            let source = try CopySource(path: directory.database)
            for table in CopiedTable.all { _ = try await source.rows(of: table, after: nil, limit: 10) }
            #expect(throws: StoreError.inUse(path: DatabaseFile.realPath(directory.database))) {
                try SQLiteStore(path: directory.database, system: .system)
            }
            try source.close()
            let after = try Data(contentsOf: URL(fileURLWithPath: directory.database))
            #expect(after == before)
            try await SQLiteStore(path: directory.database, system: .system).close()
        }
    }

    @Test func `refuses a file that is not there, and makes none`() async throws {
        try await withTemporaryDirectory { directory in
            #expect(throws: StoreCopyProblem.noSource(path: directory.database)) {
                try CopySource(path: directory.database)
            }
            let files = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
            #expect(files.isEmpty)
        }
    }

    @Test func `refuses a file that a server has open`() async throws {
        try await withTemporaryDirectory { directory in
            let store = try SQLiteStore(path: directory.database, system: .system)
            #expect(throws: StoreError.inUse(path: DatabaseFile.realPath(directory.database))) {
                try CopySource(path: directory.database)
            }
            try await store.close()
        }
    }

    @Test func `refuses an older schema without bringing it up to date`() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory.database
            let database = try DatabaseQueue(path: path)
            try await database.write { db in
                try db.execute(sql: "PRAGMA application_id = \(DatabaseFile.applicationID)")
            }
            try Schema.steps.migrate(database, upTo: "0001 accounts, sessions, codes, attempts, audit, outbox, keys")
            try database.close()
            #expect(throws: StoreCopyProblem.olderSource(path: DatabaseFile.realPath(path))) {
                try CopySource(path: path)
            }
            let again = try DatabaseQueue(path: path)
            let isCurrent = try await again.read(Schema.isCurrent)
            #expect(!isCurrent)
            try again.close()
        }
    }

    @Test func `refuses a newer schema`() async throws {
        try await withTemporaryDirectory { directory in
            try await FilledStore.make(at: directory.database, accounts: 1)
            try await FilledStore.change(
                directory.database, "INSERT INTO grdb_migrations (identifier) VALUES ('9999 the future')")
            #expect(throws: StoreError.newerSchema(path: DatabaseFile.realPath(directory.database))) {
                try CopySource(path: directory.database)
            }
        }
    }
}
