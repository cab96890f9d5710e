import Foundation
import GRDB
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@testable import OstiaryStore

/// The readiness of a database whose reads succeed and whose writes fail.
@Suite struct WriteHealthTests {
    private let clock = TestClock(now: noon)

    /// Runs `body` on a store in a file whose growth it limits.
    private func withStore(_ body: (SQLiteStore) async throws -> Void) async throws {
        let clock = clock
        let system = SystemDependencies(
            now: { clock.now }, randomBytes: SystemDependencies.system.randomBytes,
            sleep: SystemDependencies.system.sleep)
        try await withTemporaryDirectory { directory in
            let store = try SQLiteStore(path: directory.database, system: system)
            try await body(store)
            try await store.close()
        }
    }

    private func addLargeRecord(to store: SQLiteStore, _ hash: UInt8 = 1) async throws {
        try await store.add(
            SingleUseRecord(
                app: .named(), kind: .browserStart, hash: [hash], payload: Array(repeating: 1, count: 100_000),
                expiresAt: noon.after(3600)))
    }

    @Test func `is not ready after a write failed, until a probe succeeds`() async throws {
        try await withStore { store in
            try await store.checkReadiness()
            try await store.limitToPresentSize()
            await #expect(throws: StoreError.failed(code: 13)) { try await addLargeRecord(to: store) }
            await #expect(throws: StoreError.failed(code: 13)) { try await store.checkReadiness() }
            try await store.removeSizeLimit()
            clock.advance(by: .seconds(4))
            await #expect(throws: StoreError.failed(code: 13)) { try await store.checkReadiness() }
            clock.advance(by: .seconds(1))
            try await store.checkReadiness()
        }
    }

    @Test func `is not ready while each probe fails`() async throws {
        try await withStore { store in
            try await store.limitToPresentSize()
            await #expect(throws: StoreError.failed(code: 13)) { try await addLargeRecord(to: store) }
            for _ in 0..<3 {
                clock.advance(by: .seconds(6))
                await #expect(throws: StoreError.failed(code: 13)) { try await store.checkReadiness() }
            }
        }
    }

    @Test func `is not ready after a commit that changes nothing`() async throws {
        try await withStore { store in
            try await store.limitToPresentSize()
            await #expect(throws: StoreError.failed(code: 13)) { try await addLargeRecord(to: store) }
            _ = try await store.revoke(SessionID("none"), in: .named(), Revocation(reason: .signOut, at: noon))
            await #expect(throws: StoreError.failed(code: 13)) { try await store.checkReadiness() }
        }
    }

    @Test func `is ready as soon as another write succeeds`() async throws {
        try await withStore { store in
            try await store.limitToPresentSize()
            await #expect(throws: StoreError.failed(code: 13)) { try await addLargeRecord(to: store) }
            try await store.removeSizeLimit()
            try await addLargeRecord(to: store)
            try await store.checkReadiness()
        }
    }

    @Test func `notices a full disk without a write of another caller`() async throws {
        try await withStore { store in
            try await store.limitToPresentSize()
            clock.advance(by: .seconds(59))
            try await store.checkReadiness()
            clock.advance(by: .seconds(1))
            await #expect(throws: StoreError.failed(code: 13)) { try await store.checkReadiness() }
        }
    }

    @Test func `probes an idle store once a minute, and leaves no row`() async throws {
        try await withStore { store in
            let commits = store.writer.commitCount
            for second in 0..<180 {
                if second > 0 { clock.advance(by: .seconds(1)) }
                try await store.checkReadiness()
            }
            #expect(store.writer.commitCount == commits + 2)
            let rows = try await store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM ticket") }
            #expect(rows == 0)
        }
    }

    @Test func `does not probe a store that writes`() async throws {
        try await withStore { store in
            for hash in 0..<UInt8(5) {
                clock.advance(by: .seconds(59))
                try await store.add(
                    SingleUseRecord(
                        app: .named(), kind: .browserStart, hash: [hash], payload: [], expiresAt: noon.after(3600)))
                try await store.checkReadiness()
            }
            #expect(store.writer.commitCount == 5)
        }
    }

    @Test func `probes after the clock was set back`() async throws {
        try await withStore { store in
            try await store.limitToPresentSize()
            clock.shiftWall(by: .seconds(-10))
            await #expect(throws: StoreError.failed(code: 13)) { try await store.checkReadiness() }
        }
    }

    @Test func `is ready after a write that breaks a rule of a table`() async throws {
        try await withStore { store in
            await #expect(throws: StoreError.self) {
                try await store.write { try $0.run("INSERT INTO ticket (app) VALUES ('x')") }
            }
            await #expect(throws: StoreError.self) {
                try await store.write { db in
                    try db.run("PRAGMA defer_foreign_keys = ON")
                    try db.run(
                        "INSERT INTO account_name (app, name, account_id) VALUES ('x', 'y', 'z')")
                }
            }
            try await store.checkReadiness()
        }
    }
}

extension SQLiteStore {
    /// Makes every write fail that needs more pages than the database has, as on a full disk.
    fileprivate func limitToPresentSize() async throws {
        try await database.writeWithoutTransaction { db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            try db.execute(sql: "PRAGMA max_page_count = \(pages)")
        }
    }

    fileprivate func removeSizeLimit() async throws {
        try await database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
    }
}
